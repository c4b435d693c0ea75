package io.cloudkon.worker.service;

import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.Monitor;
import io.cloudkon.worker.pipeline.ClosingOrder;
import io.cloudkon.worker.pipeline.Later;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of a worker: closes its parts, each before those that it needs, and lets others wait for
 * that. Thread safe.
 */
final class Shutdown {
  /** How long calls under way may still take after everything is settled. */
  private static final long LAST_CALLS_SECONDS = 2;

  private final Departure departure;
  private final WorkerHealth health;
  private final Pipeline tasks;
  private final WorkerLoop.@Nullable Jobs jobs;
  private final List<Slot> slots;
  private final Inputs inputs;
  private final TaskRunner runner;
  private final @Nullable Monitor monitor;
  private final ExecutorService io;
  private final Later later;
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * The end of a worker that still runs.
   *
   * @param jobs null if it takes no part in HPC jobs
   * @param monitor null if nothing monitors it
   */
  Shutdown(
      Departure departure,
      WorkerHealth health,
      Pipeline tasks,
      WorkerLoop.@Nullable Jobs jobs,
      List<Slot> slots,
      Inputs inputs,
      TaskRunner runner,
      @Nullable Monitor monitor,
      ExecutorService io,
      Later later) {
    this.departure = departure;
    this.health = health;
    this.tasks = tasks;
    this.jobs = jobs;
    this.slots = slots;
    this.inputs = inputs;
    this.runner = runner;
    this.monitor = monitor;
    this.io = io;
    this.later = later;
  }

  /** Abandons what is in hand and closes everything, once, when the worker's loop has ended. */
  void run() {
    try {
      ClosingOrder.closeAll(
          health::close,
          () -> tasks.inHand().values().forEach(b -> b.abandon("its worker has ended")),
          this::closeJobs,
          tasks::close,
          () -> Slot.end(slots),
          inputs::close,
          runner::close,
          this::closeMonitor,
          this::endCalls,
          later::close);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }

  private void closeJobs() throws InterruptedException {
    if (jobs != null) {
      jobs.gangs().close();
    }
  }

  private void closeMonitor() throws InterruptedException {
    if (monitor != null) {
      monitor.close();
    }
  }

  /**
   * Lets the last calls end, which put messages back and give up a seat: if they were cut short,
   * both would stay held in vain.
   */
  private void endCalls() throws InterruptedException {
    io.shutdown();
    if (departure.leaving() || !io.awaitTermination(LAST_CALLS_SECONDS, TimeUnit.SECONDS)) {
      io.shutdownNow();
    }
  }

  /** Waits until the worker has ended. */
  void await() throws InterruptedException {
    ended.await();
  }

  /** Waits at most that long for the worker to end; returns whether it has ended. */
  boolean await(Duration longest) throws InterruptedException {
    return ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether the worker has ended. */
  boolean isOver() {
    return ended.getCount() == 0;
  }
}
