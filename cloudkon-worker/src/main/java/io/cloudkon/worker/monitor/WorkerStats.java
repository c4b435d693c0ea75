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
  private volatile @Nullable Sickness sickness;
  private volatile @Nullable WorkerOrigin origin;
  private volatile long refusedCalls;
  private volatile int bundlesInHand;

  /** Counts, and tells nobody of results. */
  public WorkerStats() {
    this(results -> {});
  }

  /**
   * Counts.
   *
   * @param listener is told of results as the response queue accepts them; must be quick, and must
   *     not throw
   */
  public WorkerStats(Consumer<List<TaskResult>> listener) {
    this.listener = listener;
  }

  /** So many tasks of a run came to their end, and so many of them did not succeed. */
  public void finished(String run, int count, int failed) {
    tasks.add(count);
    byRun.finished(run, count, failed);
  }

  RunTally byRun() {
    return byRun;
  }

  /** The response queue accepted these results: from now on they count. */
  public void accepted(List<TaskResult> results) {
    listener.accept(results);
  }

  /** So many slots run something now, and so many bundles were received and are not settled. */
  public void now(int slots, int bundles) {
    busy = slots;
    bundlesInHand = bundles;
  }

  /** How it provides shipped files: {@link io.cloudkon.core.model.ShippedFiles#label}. */
  public void shippedFiles(String now) {
    shippedFiles = now;
  }

  /** The same; empty until it is known. */
  public String shippedFiles() {
    return shippedFiles;
  }

  /** A slot begins to make a task's files ready. */
  public void stagingBegun() {
    staging.increment();
  }

  /** That slot has them ready, or gives up. */
  public void stagingEnded() {
    staging.decrement();
  }

  /** How many slots make files ready now; all of them are busy. */
  public int staging() {
    return (int) staging.sum();
  }

  /** It is a manager or a sub-worker of HPC jobs now, or just a worker. */
  public void role(String now) {
    role = now;
  }

  /** Its machine is to leave soon: see {@link io.cloudkon.core.port.WorkerEntry#notice}. */
  public void notice(String now) {
    notice = now;
  }

  /** Why its machine is to leave soon; empty if it is not, as far as is known. */
  public String notice() {
    return notice;
  }

  /** It cannot start tasks from now on. */
  public void sick(Sickness now) {
    sickness = now;
  }

  /** It can start tasks again. */
  public void well() {
    sickness = null;
  }

  /** Why it cannot start tasks; empty while it can. */
  public Optional<Sickness> sickness() {
    return Optional.ofNullable(sickness);
  }

  /** Where it comes from, if that was not known at its start. */
  public void origin(WorkerOrigin now) {
    origin = now;
  }

  /** Where it comes from; empty if all that is known was at its start. */
  Optional<WorkerOrigin> origin() {
    return Optional.ofNullable(origin);
  }

  /** So many calls of other workers were refused so far. */
  public void refused(long calls) {
    refusedCalls = calls;
  }

  /** Calls of other workers that were refused: a wrong secret, or content nobody of ours sends. */
  public long refusedCalls() {
    return refusedCalls;
  }

  /** What it is now. */
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
