package io.cloudkon.worker.monitor;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerRegistry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.time.TimeSource;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that writes the worker's entry every few seconds and removes it at the end. Every few
 * minutes, it adds the worker's counts of finished tasks to the table of runs.
 */
public final class Monitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);

  private final WorkerRegistry registry;
  private final RunStore runs;
  private final WorkerStats stats;
  private final TimeSource time;
  private final String worker;
  private final WorkerOrigin origin;
  private final Supplier<WorkerTakes> takes;
  private final int slots;
  private final long everyMillis;
  private final BooleanSupplier draining;
  private final long since;
  private final String host = host();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private long lastTasks;
  private long lastNanos;

  /**
   * Starts the thread; the first entry is written at once.
   *
   * @param takes the work that the worker accepts now
   * @param everyMillis the interval between entries in milliseconds; default 5,000
   * @param draining whether the worker is about to leave
   */
  public Monitor(
      Cluster cluster,
      WorkerStats stats,
      TimeSource time,
      String worker,
      WorkerOrigin origin,
      Supplier<WorkerTakes> takes,
      int slots,
      long everyMillis,
      BooleanSupplier draining) {
    this.registry = cluster.workers();
    this.runs = cluster.runs();
    this.stats = stats;
    this.time = time;
    this.worker = worker;
    this.origin = origin;
    this.takes = takes;
    this.slots = slots;
    this.everyMillis = everyMillis;
    this.draining = draining;
    this.since = time.serviceMillis();
    this.lastNanos = time.monotonicNanos();
    this.thread = Thread.ofVirtual().name("cloudkon-monitor").start(this::run);
  }

  private void run() {
    do {
      write();
    } while (!over());
  }

  private boolean over() {
    try {
      return ended.await(everyMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return ended.getCount() == 0; // a call's timer may interrupt late
    }
  }

  private void write() {
    try {
      long nanos = time.monotonicNanos();
      double seconds = Math.max(1e-3, (nanos - lastNanos) / 1e9);
      stats.byRun().pass(seconds);
      Map<String, FinishedTasks> due = stats.byRun().due();
      WorkerEntry entry = entry(seconds, stats.byRun().shownBeside(due));
      lastTasks = entry.tasksDone();
      lastNanos = nanos;
      // Written before the counts are handed in: missing a count briefly is less wrong than
      // counting it twice.
      registry.put(entry);
      handIn(due);
    } catch (RuntimeException | Error e) {
      LOG.debug("could not write the worker's entry: {}", e.getMessage());
    }
  }

  private WorkerEntry entry(double seconds, Map<String, FinishedTasks> finished) {
    long tasks = stats.tasks();
    Runtime runtime = Runtime.getRuntime();
    return new WorkerEntry(
        worker,
        host,
        stats.origin().orElse(origin),
        takes.get(),
        role(),
        stats.notice(),
        stats.sickness().map(Sickness::reason).orElse(""),
        slots,
        stats.busy(),
        stats.staging(),
        stats.shippedFiles(),
        stats.unreachable(),
        cpu(),
        runtime.totalMemory() - runtime.freeMemory(),
        tasks,
        (tasks - lastTasks) / seconds,
        finished,
        since,
        time.serviceMillis());
  }

  /** Hands in counts; keeps those that fail for the next entry. */
  private void handIn(Map<String, FinishedTasks> due) {
    due.forEach((run, finished) -> {
      try {
        if (!runs.handIn(run, finished)) {
          LOG.debug("run {} is not known any more: nobody wants its counts", run);
        }
      } catch (RefusedException e) {
        LOG.debug("counts of run {} are dropped: {}", run, e.getMessage());
      }
      stats.byRun().left(run, finished);
    });
  }

  private String role() {
    if (draining.getAsBoolean()) {
      return WorkerEntry.DRAINING;
    }
    return stats.sickness().isPresent() ? WorkerEntry.SICK : stats.role();
  }

  private static double cpu() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuLoad()
        : -1;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** Ends the thread, removes the entry, and hands in the remaining counts. */
  @Override
  public void close() throws InterruptedException {
    ended.countDown();
    thread.join();
    try {
      registry.remove(worker);
    } catch (RuntimeException | Error e) {
      LOG.debug("could not remove the worker's entry: {}", e.getMessage());
    }
    try {
      handIn(stats.byRun().all());
    } catch (RuntimeException | Error e) {
      LOG.debug("could not hand in the last counts: {}", e.getMessage());
    }
  }
}
