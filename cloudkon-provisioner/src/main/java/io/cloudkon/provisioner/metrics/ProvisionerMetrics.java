package io.cloudkon.provisioner.metrics;

import io.cloudkon.core.cli.Version;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A provisioner's metrics at its last reading, in Prometheus' format by {@link #scrape}. A
 * provisioner that waits for the lease reports only zeros, so that sums over all provisioners of a
 * cluster are correct. Thread safe.
 */
public final class ProvisionerMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Supplier<Fleet> fleet;
  private final MultiGauge failures;

  /**
   * Metrics of one provisioner.
   *
   * @param seen the state of the fleet
   * @param holds whether the provisioner holds the lease
   */
  public ProvisionerMetrics(Supplier<Fleet> seen, BooleanSupplier holds) {
    this.fleet = () -> holds.getAsBoolean() ? seen.get() : Fleet.UNSEEN;
    gauge("wanted.workers", "Workers that it wants.", Fleet::wanted);
    gauge("live.workers", "Workers that live.", Fleet::live);
    gauge("booting.workers", "Workers launched and not registered yet.", Fleet::booting);
    gauge(
        "usd.per.hour",
        "What the fleet costs now, in USD an hour, at list price.",
        Fleet::usdPerHour);
    gauge(
        "spent.usd",
        "What the fleet has cost since the lease was taken, at list price.",
        Fleet::spentUsd);
    Gauge.builder("cloudkon.provisioner.leader", () -> holds.getAsBoolean() ? 1 : 0)
        .description("1 while it has the lease, so that it decides.")
        .register(registry);
    Gauge.builder("cloudkon.build.info", () -> 1)
        .description("Always 1: which CloudKon this is.")
        .tag("version", Version.number())
        .register(registry);
    this.failures =
        MultiGauge.builder("cloudkon.provisioner.failures")
            .description("Launches that failed since the lease was taken, by reason.")
            .register(registry);
  }

  private void gauge(String name, String description, ToDoubleFunction<Fleet> value) {
    Gauge.builder("cloudkon.provisioner." + name, () -> value.applyAsDouble(fleet.get()))
        .description(description)
        .register(registry);
  }

  /** The current values of all metrics, in Prometheus' text format 0.0.4. */
  public String scrape() {
    failures.register(
        fleet.get().failures().entrySet().stream()
            .map(entry -> MultiGauge.Row.of(Tags.of("reason", entry.getKey()), entry.getValue()))
            .toList(),
        true);
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
