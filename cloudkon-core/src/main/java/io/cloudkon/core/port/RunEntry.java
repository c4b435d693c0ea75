package io.cloudkon.core.port;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Map;

/**
 * The entry of a run. Immutable.
 *
 * @param run its id
 * @param epoch its submission's id
 * @param state OPEN until its client ends it or a user cancels it
 * @param consistency how often its tasks may start
 * @param responseQueue the queue to which results are currently sent
 * @param holder the id of the client that collects it, new for each process
 * @param host the host and process of that client, for display
 * @param leaseEnd the end of the holder's lease; service clock, epoch milliseconds
 * @param digest SHA-256 of the workload, hex; empty for a stream that has not ended
 * @param tasks the number of its tasks, as far as known
 * @param sent the number of tasks that were sent
 * @param counts the number of final results by status
 * @param remaining the remaining work at {@code updatedMillis}
 * @param createdMillis when it was created; service clock, epoch milliseconds
 * @param updatedMillis when it was last written; service clock, epoch milliseconds
 * @param label its name and tags
 * @param handedIn the tasks finished by workers that no longer work on it; written only by {@link
 *     RunStore#handIn}
 */
public record RunEntry(
    String run,
    String epoch,
    State state,
    Consistency consistency,
    String responseQueue,
    String holder,
    String host,
    long leaseEnd,
    String digest,
    long tasks,
    long sent,
    Map<TaskStatus, Long> counts,
    RemainingWork remaining,
    long createdMillis,
    long updatedMillis,
    RunLabel label,
    FinishedTasks handedIn) {

  public RunEntry {
    counts = Map.copyOf(counts);
  }

  /** A run without a label, for which no worker has handed in counts. */
  public RunEntry(
      String run,
      String epoch,
      State state,
      Consistency consistency,
      String responseQueue,
      String holder,
      String host,
      long leaseEnd,
      String digest,
      long tasks,
      long sent,
      Map<TaskStatus, Long> counts,
      RemainingWork remaining,
      long createdMillis,
      long updatedMillis) {
    this(
        run,
        epoch,
        state,
        consistency,
        responseQueue,
        holder,
        host,
        leaseEnd,
        digest,
        tasks,
        sent,
        counts,
        remaining,
        createdMillis,
        updatedMillis,
        RunLabel.NONE,
        FinishedTasks.NONE);
  }

  /** The state of a run. */
  public enum State {
    OPEN,
    CANCELLED,
    ENDED
  }

  /** Its holder's lease as it is stored. */
  public SeenLease lease() {
    return new SeenLease(holder, leaseEnd, updatedMillis);
  }

  /** The number of tasks with a final result. */
  public long finished() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of known tasks without a final result. */
  public long unfinished() {
    return Math.max(0, tasks - finished());
  }

  /**
   * The minimum number of its HPC jobs without a result that were sent, because all that was not
   * sent may be jobs.
   */
  public long sentJobs() {
    return Math.max(0, remaining.jobs() - Math.max(0, tasks - sent));
  }

  /**
   * Whether a client collects it at this time of the service's clock, so that its counts are up to
   * date and the remaining tasks will be sent.
   */
  public boolean collectedAt(long millis) {
    return state == State.OPEN && leaseEnd > millis;
  }

  /**
   * Whether it is collected and its counts are valid: a client that has just resumed it must first
   * collect the results that waited for it.
   */
  public boolean countedAt(long millis) {
    return collectedAt(millis) && remaining.counted();
  }

  /** Whether this entry may replace the stored one; see {@link RunStore#update}. */
  public boolean mayReplace(RunEntry current) {
    boolean allowed =
        current.state() == State.OPEN
            || (current.state() == State.CANCELLED && state == State.CANCELLED);
    return allowed && current.holder().equals(holder) && current.updatedMillis() < updatedMillis;
  }

  /** Whether this entry's holder may take over the run; see {@link RunStore#takeOver}. */
  public boolean maySucceed(RunEntry current, RunEntry seen) {
    return current.state() == state
        && state != State.ENDED
        && current.holder().equals(seen.holder())
        && current.updatedMillis() == seen.updatedMillis();
  }

  /** Whether the store already contains this update, because its answer was lost. */
  public boolean isShownBy(RunEntry current) {
    return current.state() == state
        && current.holder().equals(holder)
        && current.epoch().equals(epoch)
        && current.updatedMillis() == updatedMillis;
  }

  /** The same run, held by another client and with this response queue. */
  public RunEntry heldBy(
      String newHolder, String newHost, String newQueue, long newLeaseEnd, long now) {
    return new RunEntry(
        run,
        epoch,
        state,
        consistency,
        newQueue,
        newHolder,
        newHost,
        newLeaseEnd,
        digest,
        tasks,
        sent,
        counts,
        remaining,
        createdMillis,
        Math.max(now, updatedMillis + 1),
        label,
        handedIn);
  }

  /** The same run with another response queue; later than this entry. */
  public RunEntry answeredAt(String queue, long now) {
    return heldBy(holder, host, queue, leaseEnd, now);
  }

  /** The same run, cancelled. */
  public RunEntry cancelled(long now) {
    return with(State.CANCELLED, leaseEnd, tasks, sent, counts, now);
  }

  /** The same run with this remaining work, and with the same time. */
  public RunEntry with(RemainingWork newRemaining) {
    return new RunEntry(
        run,
        epoch,
        state,
        consistency,
        responseQueue,
        holder,
        host,
        leaseEnd,
        digest,
        tasks,
        sent,
        counts,
        newRemaining,
        createdMillis,
        updatedMillis,
        label,
        handedIn);
  }

  /** The same run with this label. */
  public RunEntry with(RunLabel newLabel) {
    return with(newLabel, handedIn);
  }

  /** The same run with these handed-in counts. */
  public RunEntry with(FinishedTasks newHandedIn) {
    return with(label, newHandedIn);
  }

  private RunEntry with(RunLabel newLabel, FinishedTasks newHandedIn) {
    return new RunEntry(
        run,
        epoch,
        state,
        consistency,
        responseQueue,
        holder,
        host,
        leaseEnd,
        digest,
        tasks,
        sent,
        counts,
        remaining,
        createdMillis,
        updatedMillis,
        newLabel,
        newHandedIn);
  }

  /** The same run with more progress; later than this entry by at least a millisecond. */
  public RunEntry with(
      State newState,
      long newLeaseEnd,
      long newTasks,
      long newSent,
      Map<TaskStatus, Long> newCounts,
      long now) {
    return new RunEntry(
        run,
        epoch,
        newState,
        consistency,
        responseQueue,
        holder,
        host,
        newLeaseEnd,
        digest,
        newTasks,
        newSent,
        newCounts,
        remaining,
        createdMillis,
        Math.max(now, updatedMillis + 1),
        label,
        handedIn);
  }
}
