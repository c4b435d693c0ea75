package io.cloudkon.worker.metrics;

import io.cloudkon.core.cli.Version;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.monitor.WorkerStats;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * A worker's metrics. The worker uses their {@link #cluster} and {@link #stats}, and Prometheus
 * gets {@link #scrape}. Thread safe.
 *
 * <p>The series have no label with the worker's id: Prometheus distinguishes targets by {@code
 * instance}, and an id, which is new with each start, would start every series anew. {@code
 * cloudkon_worker_info} joins the two.
 */
public final class WorkerMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final WorkerStats stats;
  private final Cluster cluster;
  private final CallMeters calls;

  /**
   * Metrics of one worker.
   *
   * @param whole the ports that the worker would use without metrics
   * @param callCounts the API calls of this process so far
   */
  public WorkerMetrics(
      WorkerSettings settings, Cluster whole, TimeSource time, Supplier<List<Calls>> callCounts) {
    stats = new WorkerStats(new TaskMeters(registry)::accepted);
    cluster = metered(whole, time);
    calls = new CallMeters(registry, callCounts);
    gauge("cloudkon.slots", "Tasks that it runs at the same time.", settings::slots);
    gauge("cloudkon.busy.slots", "Slots that run something now.", stats::busy);
    gauge("cloudkon.bundles.in.hand", "Bundles received and not settled.", stats::bundlesInHand);
    gauge(
        "cloudkon.refused.calls",
        "Calls of other workers that were refused: a wrong secret, or foreign content.",
        stats::refusedCalls);
    for (Class<?> cause : Sickness.class.getPermittedSubclasses()) {
      Gauge.builder(
              "cloudkon.sick", () -> stats.sickness().filter(cause::isInstance).isPresent() ? 1 : 0)
          .description("1 while it cannot start any task, by cause: it then takes none.")
          .tag("cause", cause.getSimpleName().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("cloudkon.worker.info", () -> 1)
        .description("Always 1: which worker of which cluster this is.")
        .tag("worker", settings.id())
        .tag("queue", whole.name())
        .register(registry);
    Gauge.builder("cloudkon.build.info", () -> 1)
        .description("Always 1: which CloudKon this is.")
        .tag("version", Version.number())
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
  }

  private Cluster metered(Cluster whole, TimeSource time) {
    return new Cluster(
        whole.name(),
        new MeteredRequests(
            whole.requests(),
            time,
            Timers.timer(
                registry,
                "cloudkon.queue",
                "How long bundles had waited in the queue when the receive that brought them"
                    + " began.",
                Timers.LONG)),
        whole.dead(),
        new MeteredResponses(
            whole.responses(),
            time,
            Timers.timer(
                registry,
                "cloudkon.reply",
                "How long sends of results took, those that failed included.",
                Timers.CALL)),
        new MeteredClaims(
            whole.claims(),
            time,
            Timers.timer(
                registry,
                "cloudkon.claim",
                "How long acquisitions of claims took, those that failed included.",
                Timers.CALL)),
        whole.workers(),
        whole.runs(),
        whole.decisions(),
        whole.blobs(),
        whole.hpc());
  }

  private void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /** The ports, with timers for their calls. */
  public Cluster cluster() {
    return cluster;
  }

  /** The counters that the worker updates. */
  public WorkerStats stats() {
    return stats;
  }

  /** All metrics as of now, in Prometheus' text format 0.0.4. */
  public String scrape() {
    calls.refresh();
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
