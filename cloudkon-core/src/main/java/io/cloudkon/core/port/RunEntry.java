package io.cloudkon.core.port;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Map;

/**
 * One run. Immutable.
 *
 * @param run its id
 * @param epoch its submission's id
 * @param state OPEN until its client ended it or a user cancelled it
 * @param consistency how often its tasks may start
 * @param responseQueue where results go now
 * @param holder the client that collects it: client id, fresh per process
 * @param host where that client runs, for people: host and process
 * @param leaseEnd until when the holder's lease runs; service clock, epoch milliseconds
 * @param digest SHA-256 of the workload, hex; empty for a stream that has not ended
 * @param tasks how many tasks it has, as far as is known
 * @param sent how many of them were sent
 * @param counts final results by status
 * @param remaining what is left of it; as old as {@code updatedMillis}
 * @param createdMillis service clock, epoch milliseconds
 * @param updatedMillis likewise
 * @param label what people call it
 * @param handedIn what workers have finished of it that do not work on it any more; they alone
 *     write it, see {@link RunStore#handIn}
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

  /** A run without a label, of which no worker has handed anything in. */
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

  /** Whether a run takes results. */
  public enum State {
    OPEN,
    CANCELLED,
    ENDED
  }

  /** Its holder's lease, as it stands there. */
  public SeenLease lease() {
    return new SeenLease(holder, leaseEnd, updatedMillis);
  }

  /** How many tasks have a final result. */
  public long finished() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many tasks that are known have none. */
  public long unfinished() {
    return Math.max(0, tasks - finished());
  }

  /**
   * Whether a client collects it at this moment of the service's clock, so that its counts are
   * fresh and what is not sent yet will be.
   */
  public boolean collectedAt(long millis) {
    return state == State.OPEN && leaseEnd > millis;
  }

  /**
   * Whether it is collected and its counts hold: a client that has just resumed it must first
   * collect the results that waited for it.
   */
  public boolean countedAt(long millis) {
    return collectedAt(millis) && remaining.counted();
  }

  /** Whether what stands in the store may be replaced by this; see {@link RunStore#update}. */
  public boolean mayReplace(RunEntry current) {
    boolean allowed =
        current.state() == State.OPEN
            || (current.state() == State.CANCELLED && state == State.CANCELLED);
    return allowed && current.holder().equals(holder) && current.updatedMillis() < updatedMillis;
  }

  /** Whether the run may pass to this entry's holder; see {@link RunStore#takeOver}. */
  public boolean maySucceed(RunEntry current, RunEntry seen) {
    return current.state() == state
        && state != State.ENDED
        && current.holder().equals(seen.holder())
        && current.updatedMillis() == seen.updatedMillis();
  }

  /** Whether the store shows this very update: its answer was lost. */
  public boolean isShownBy(RunEntry current) {
    return current.state() == state
        && current.holder().equals(holder)
        && current.epoch().equals(epoch)
        && current.updatedMillis() == updatedMillis;
  }

  /** The same run with another client, whose results go to this queue. */
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

  /** The same run, whose results go to another queue; later than this entry. */
  public RunEntry answeredAt(String queue, long now) {
    return heldBy(holder, host, queue, leaseEnd, now);
  }

  /** The same run, cancelled. */
  public RunEntry cancelled(long now) {
    return with(State.CANCELLED, leaseEnd, tasks, sent, counts, now);
  }

  /** The same run, of which this is left; as new as this entry. */
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

  /** The same run, called so. */
  public RunEntry with(RunLabel newLabel) {
    return with(newLabel, handedIn);
  }

  /** The same run, of which workers have handed in so much. */
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

  /** The same run, further on; later than this entry by at least a millisecond. */
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
