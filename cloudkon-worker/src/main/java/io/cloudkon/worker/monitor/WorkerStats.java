package io.cloudkon.worker.monitor;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.health.Sickness;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The counters of a worker. Thread safe. */
public final class WorkerStats {
  private final LongAdder tasks = new LongAdder();
  private final RunTally byRun = new RunTally();
  private final Consumer<List<TaskResult>> listener;
  private final LongAdder staging = new LongAdder();
  private volatile int busy;
  private volatile String role = "worker";
  private volatile String notice = "";
  private volatile String shippedFiles = "";
  private volatile String unreachable = "";
  private volatile @Nullable Sickness sickness;
  private volatile @Nullable WorkerOrigin origin;
  private volatile long refusedCalls;
  private volatile int bundlesInHand;

  /** Counters without a listener. */
  public WorkerStats() {
    this(results -> {});
  }

  /**
   * Counters with a listener.
   *
   * @param listener receives results as the response queue accepts them; must be quick and must not
   *     throw
   */
  public WorkerStats(Consumer<List<TaskResult>> listener) {
    this.listener = listener;
  }

  /** Adds finished tasks of a run, and the number of those that did not succeed. */
  public void finished(String run, int count, int failed) {
    tasks.add(count);
    byRun.finished(run, count, failed);
  }

  RunTally byRun() {
    return byRun;
  }

  /** Records that the response queue accepted these results. */
  public void accepted(List<TaskResult> results) {
    listener.accept(results);
  }

  /** Sets the number of busy slots and of received bundles that are not settled. */
  public void now(int slots, int bundles) {
    busy = slots;
    bundlesInHand = bundles;
  }

  /**
   * Sets how the worker provides shipped files: {@link io.cloudkon.core.model.ShippedFiles#label}.
   */
  public void shippedFiles(String now) {
    shippedFiles = now;
  }

  /** How the worker provides shipped files; empty until it is known. */
  public String shippedFiles() {
    return shippedFiles;
  }

  /**
   * Sets the address at which other workers cannot call it: see {@link
   * io.cloudkon.core.port.WorkerEntry#unreachable}.
   */
  public void unreachable(String now) {
    unreachable = now;
  }

  /** The address at which other workers cannot call it; empty if none has said so. */
  public String unreachable() {
    return unreachable;
  }

  /** Records that a slot begins to prepare a task's files. */
  public void stagingBegun() {
    staging.increment();
  }

  /** Records that the slot has prepared the files or given up. */
  public void stagingEnded() {
    staging.decrement();
  }

  /** The number of slots that prepare files now; all of them are busy. */
  public int staging() {
    return (int) staging.sum();
  }

  /** Sets the worker's role: a manager or a sub-worker of HPC jobs, or just a worker. */
  public void role(String now) {
    role = now;
  }

  /**
   * Sets the notice that its machine is to leave soon: see {@link
   * io.cloudkon.core.port.WorkerEntry#notice}.
   */
  public void notice(String now) {
    notice = now;
  }

  /** Why its machine is to leave soon; empty if it is not to leave, as far as is known. */
  public String notice() {
    return notice;
  }

  /** Records that the worker cannot start tasks from now on. */
  public void sick(Sickness now) {
    sickness = now;
  }

  /** Records that the worker can start tasks again. */
  public void well() {
    sickness = null;
  }

  /** Why it cannot start tasks; empty while it can. */
  public Optional<Sickness> sickness() {
    return Optional.ofNullable(sickness);
  }

  /** Sets the worker's origin, if it was not fully known at its start. */
  public void origin(WorkerOrigin now) {
    origin = now;
  }

  /** The worker's origin; empty if nothing was learned after its start. */
  Optional<WorkerOrigin> origin() {
    return Optional.ofNullable(origin);
  }

  /** Sets the number of refused calls of other workers. */
  public void refused(long calls) {
    refusedCalls = calls;
  }

  /**
   * The number of refused calls of other workers: with a wrong secret, or with content that no
   * worker sends.
   */
  public long refusedCalls() {
    return refusedCalls;
  }

  /** The worker's current role. */
  public String role() {
    return role;
  }

  public long tasks() {
    return tasks.sum();
  }

  public int busy() {
    return busy;
  }

  public int bundlesInHand() {
    return bundlesInHand;
  }
}
