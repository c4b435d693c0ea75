package io.cloudkon.worker.service;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.lifetime.Lifetime;
import io.cloudkon.worker.monitor.Monitor;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.reply.CollectedStore;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running worker: assembles its parts and controls its end. Thread safe.
 *
 * @see WorkerLoop
 */
public final class WorkerService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerService.class);

  private final WorkerConfig config;
  private final WorkerStats stats;
  private final BlockingQueue<WorkerEvent> events = new LinkedBlockingQueue<>();
  private final FreeSlots freeSlots = new FreeSlots();
  private final ExecutorService io =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cloudkon-io-", 0).factory());
  private final Departure departure;
  private final Lifetime lifetime;
  private final Pipeline tasks;
  private final WorkerHealth health;
  private final List<Slot> slots = new ArrayList<>();
  private final WorkerLoop.@Nullable Jobs jobs;
  private final Shutdown shutdown;
  private final Thread loop;

  /**
   * Starts a worker.
   *
   * @param handlers the handlers for {@code java} tasks; the caller closes them
   * @param callCounts the API calls of this process so far, for the runs' reports
   */
  public WorkerService(
      WorkerConfig config,
      Cluster cluster,
      HandlerRegistry handlers,
      TimeSource time,
      Supplier<List<ResultBatch.Calls>> callCounts) {
    this(config, cluster, handlers, time, callCounts, new WorkerStats());
  }

  /** Starts a worker that counts in {@code stats}. */
  public WorkerService(
      WorkerConfig config,
      Cluster ports,
      HandlerRegistry handlers,
      TimeSource time,
      Supplier<List<ResultBatch.Calls>> callCounts,
      WorkerStats stats) {
    this.config = config;
    this.stats = stats;
    Later later = new Later();
    health =
        new WorkerHealth(
            HealthSettings.ofTimeout(config.sickTimeout().toMillis()),
            time,
            io,
            new HealthNews(events::add, stats, config.sickTimeout(), this::endSick));
    Cluster cluster = RefusedServices.watched(ports, health, io, LOG::warn);
    WorkerSettings settings = config.settings();
    departure = new Departure(time);
    lifetime = new Lifetime(config.lifetime(), settings, config.gangs() != null, cluster, time, io);
    ReplyRoutes routes = new ReplyRoutes();
    SharedParts parts =
        new SharedParts(
            config,
            cluster,
            time,
            new ResultBatch.WorkerId(
                settings.id(),
                settings.slots(),
                time.wallMicros(),
                config.origin().type(),
                config.origin().lifeCycle(),
                config.runner().shippedFiles().label()),
            new RunStates(cluster.runs(), routes, time),
            routes,
            new CallMeter(callCounts),
            stats,
            later,
            new BackOff(50, 2_000, new Random()),
            io);
    tasks = Pipeline.ofTasks(parts, events::add, lifetime.tasks(), freeSlots::gatherMillis);
    TaskRunner runner =
        new TaskRunner(
            config.runner(), handlers, () -> instant(time.wallMicros()), task -> stuck(task.id()));
    Inputs inputs =
        new Inputs(
            cluster.blobs(),
            runner,
            config.cacheBytes(),
            tasks.pulse(),
            parts.backOff(),
            departure::draining);
    Slot.Ends ends = new Slot.Ends(departure::leave, this::broken);
    CollectedStore store = new CollectedStore(cluster.blobs(), tasks.pulse(), parts.backOff());
    TaskTries tries = new TaskTries(runner, stats, time, tasks.pulse(), tasks.pace(), health);
    for (int i = 0; i < settings.slots(); i++) {
      slots.add(new Slot(i, inputs, tries, store, stats, tasks.pace(), events::add, health, ends));
    }
    GangConfig gangs = config.gangs();
    jobs =
        gangs == null
            ? null
            : JobParts.start(
                gangs,
                parts,
                runner,
                health,
                inputs,
                freeSlots,
                events::add,
                lifetime.jobs(),
                departure::leave);
    // Started last: a worker that cannot listen to other workers fails before, and must stay
    // unseen.
    Monitor monitor =
        Monitors.start(config, cluster, stats, time, this::takes, departure::draining);
    WorkerLoop worker =
        new WorkerLoop(
            config,
            time,
            events,
            departure,
            lifetime,
            tasks,
            slots,
            jobs,
            runner,
            health,
            stats,
            io,
            freeSlots,
            this::drain);
    shutdown =
        new Shutdown(departure, health, tasks, jobs, slots, inputs, runner, monitor, io, later);
    loop = Thread.ofPlatform().name("cloudkon-worker").start(() -> worker.run(this::shutDown));
  }

  private WorkerTakes takes() {
    WorkerTakes all = config.takes();
    return jobs != null && jobs.gangs().addressLost() ? all.withoutJobs() : all;
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1000);
  }

  /**
   * Stops receiving, settles what is in hand, and ends. Running tasks may continue for the drain
   * timeout. Returns at once.
   */
  public void drain() {
    drainWithin(config.drainTimeout());
  }

  /**
   * Drains; running tasks may continue for at most that time, and no longer than the drain timeout.
   * If the worker drains already, this can shorten the time but not extend it. Returns at once.
   *
   * @param longest the time from now on; zero kills running tasks at once
   */
  public void drainWithin(Duration longest) {
    Duration timeout = config.drainTimeout();
    if (departure.drain(longest.compareTo(timeout) < 0 ? longest : timeout)) {
      events.add(new WorkerEvent.Drain());
      tasks.stopReceiving();
      if (jobs != null) {
        jobs.gangs().drain();
      }
    }
  }

  /** Drains and kills running tasks at once. */
  public void kill() {
    drainWithin(Duration.ZERO);
    if (jobs != null) {
      jobs.gangs().kill();
    }
  }

  /** Waits until the worker has ended. */
  public void awaitEnd() throws InterruptedException {
    shutdown.await();
  }

  /** Waits at most that long for the worker to end; returns whether it has ended. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    return shutdown.await(longest);
  }

  /** Waits until only the end of this process stops a task that another worker may start. */
  public void awaitLeave() throws InterruptedException {
    departure.awaitLeave();
  }

  /** Whether it has ended. */
  public boolean hasEnded() {
    return shutdown.isOver();
  }

  /** Whether it ended because it was sick for too long. */
  public boolean sick() {
    return departure.sick();
  }

  /** Receives reports about failures to do its work. */
  public Health health() {
    return health;
  }

  /** Whether it ended because of an internal error, with work in hand. */
  public boolean failed() {
    return departure.failed();
  }

  /** The rules by which it ends itself. */
  public Lifetime lifetime() {
    return lifetime;
  }

  /** Its counters. */
  public WorkerStats stats() {
    return stats;
  }

  /** Drains, waits for the end, and releases everything. */
  @Override
  public void close() throws InterruptedException {
    drain();
    loop.join();
  }

  /**
   * Handles code that cannot be stopped: it holds its slot, so this worker drains and another can
   * take its place.
   */
  private void stuck(String task) {
    LOG.warn("task {} ignores its interruption; this worker drains and ends", task);
    if (departure.leaving()
        || slots.stream().anyMatch(Slot::runsLost)
        || (jobs != null && jobs.gangs().runsEnded())) {
      // Its lease is lost, or is not renewed any more: another worker may run it at any moment.
      departure.leave();
    }
    drain();
  }

  private void endSick() {
    departure.endSick();
    drain();
  }

  /** Ends the worker at once, because a slot broke and what it ran cannot continue. */
  private void broken(Throwable why) {
    departure.fail(); // first: if memory is short, the next line may fail as well
    LOG.error(
        "a slot failed: the worker ends immediately; other workers take over its bundles", why);
  }

  private void shutDown() {
    boolean unused = departure.drain(config.drainTimeout());
    shutdown.run();
  }
}
