package io.cloudkon.worker.service;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running worker: its parts, put together, and the way out. Thread safe.
 *
 * @see WorkerLoop
 */
public final class WorkerService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerService.class);

  /** What calls under way may still take when all is settled. */
  private static final long LAST_CALLS_SECONDS = 2;

  private final WorkerConfig config;
  private final WorkerStats stats;
  private final BlockingQueue<WorkerEvent> events = new LinkedBlockingQueue<>();
  private final FreeSlots freeSlots = new FreeSlots();
  private final Later later = new Later();
  private final ExecutorService io =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("cloudkon-io-", 0).factory());
  private final Departure departure;
  private final Lifetime lifetime;
  private final Pipeline tasks;
  private final TaskRunner runner;
  private final WorkerHealth health;
  private final Inputs inputs;
  private final List<Slot> slots = new ArrayList<>();
  private final WorkerLoop.@Nullable Jobs jobs;
  private final @Nullable Monitor monitor;
  private final Thread loop;
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Starts a worker.
   *
   * @param handlers what {@code java} tasks may call; stays the caller's to close
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
    runner =
        new TaskRunner(
            config.runner(), handlers, () -> instant(time.wallMicros()), task -> stuck(task.id()));
    inputs =
        new Inputs(
            cluster.blobs(),
            runner,
            config.cacheBytes(),
            tasks.pulse(),
            parts.backOff(),
            departure::draining);
    Slot.Ends ends = new Slot.Ends(departure::leave, this::broken);
    CollectedStore store = new CollectedStore(cluster.blobs(), tasks.pulse(), parts.backOff());
    for (int i = 0; i < settings.slots(); i++) {
      slots.add(
          new Slot(
              i, inputs, runner, store, stats, time, tasks.pulse(), events::add, health, ends));
    }
    GangConfig gangs = config.gangs();
    jobs =
        gangs == null
            ? null
            : JobParts.start(
                gangs, parts, runner, health, inputs, freeSlots::now, events::add, lifetime.jobs());
    // After that: a worker that cannot listen to others ends here, and none is to see it.
    monitor = Monitors.start(config, cluster, stats, time, departure::draining);
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
    loop = Thread.ofPlatform().name("cloudkon-worker").start(() -> worker.run(this::shutDown));
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1000);
  }

  /**
   * Stops receiving, settles what is in hand, and ends; what runs may go on for as long as the
   * drain timeout. Returns at once.
   */
  public void drain() {
    drainWithin(config.drainTimeout());
  }

  /**
   * Drains; what runs may go on for so long at most, and no longer than the drain timeout. A worker
   * that drains already gets no more time by it, but may get less. Returns at once.
   *
   * @param longest from now on; zero kills at once what runs
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

  /** Drains, and kills at once what runs. */
  public void kill() {
    drainWithin(Duration.ZERO);
    if (jobs != null) {
      jobs.gangs().kill();
    }
  }

  /** Waits until it has ended. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Waits until it has ended, or this long; says whether it has. */
  public boolean awaitEnd(Duration longest) throws InterruptedException {
    return ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether it ended as it was sick for too long. */
  public boolean sick() {
    return departure.sick();
  }

  /** Where others say that it cannot do its work. */
  public Health health() {
    return health;
  }

  /** Whether it ended by a mistake of ours, with work in hand. */
  public boolean failed() {
    return departure.failed();
  }

  /** When it ends itself. */
  public Lifetime lifetime() {
    return lifetime;
  }

  /** What it has counted. */
  public WorkerStats stats() {
    return stats;
  }

  /** Drains, waits for the end, and lets go of everything. */
  @Override
  public void close() throws InterruptedException {
    drain();
    loop.join();
  }

  /** Code that cannot be stopped holds its slot: another worker is to take this one's place. */
  private void stuck(String task) {
    LOG.warn("task {} ignores its interruption; this worker drains and ends", task);
    if (slots.stream().anyMatch(Slot::runsLost) || (jobs != null && jobs.gangs().runsEnded())) {
      // Its lease is lost: another worker may run it any moment now.
      departure.leave();
    }
    drain();
  }

  private void endSick() {
    departure.endSick();
    drain();
  }

  /** A slot has ended, and with it all hope for what it ran. */
  private void broken(Throwable why) {
    LOG.error("a slot broke: the worker ends at once; what it had in hand runs elsewhere", why);
    departure.fail();
  }

  /** The last ones put messages back and give up a seat: cut short, both would be held in vain. */
  private void endCalls() throws InterruptedException {
    io.shutdown();
    if (departure.leaving() || !io.awaitTermination(LAST_CALLS_SECONDS, TimeUnit.SECONDS)) {
      io.shutdownNow();
    }
  }

  private void shutDown() {
    boolean unused = departure.drain(config.drainTimeout());
    try {
      health.close();
      tasks.inHand().values().forEach(b -> b.abandon("its worker has ended"));
      if (jobs != null) {
        jobs.gangs().close();
      }
      tasks.close();
      for (Slot slot : slots) {
        slot.close();
      }
      inputs.close();
      runner.close();
      if (monitor != null) {
        monitor.close();
      }
      endCalls();
      later.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }
}
