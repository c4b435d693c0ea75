package io.cloudkon.core.port;

import java.util.List;
import java.util.Optional;

/** The runs of the cluster, with their holders, response queues and progress. */
public interface RunStore {

  /**
   * Publishes a new run; false if its id is already used, and then nothing was changed. If the same
   * entry is published twice, for example after a lost answer, both calls return true.
   */
  boolean create(RunEntry run);

  /** One run, read consistently; empty if there is none, or if it has expired. */
  Optional<RunEntry> read(String run);

  /**
   * Gives the run to another client if its entry has not changed since it was read: nobody has
   * renewed its lease meanwhile. If the same call is made twice, for example after a lost answer,
   * both return true.
   *
   * @param next the run's entry by its new holder, with the same state as {@code seen}
   * @param seen the run as it was read
   * @return false if the entry has changed, the run has ended, or it does not exist; nothing was
   *     changed then
   */
  boolean takeOver(RunEntry next, RunEntry seen);

  /**
   * Cancels the run if it is open, whoever holds it. Its holder remains the same and completes the
   * cancellation.
   *
   * @param now service clock, epoch milliseconds
   * @return the run after the call, which is CANCELLED, now or from before, or ENDED; empty if it
   *     does not exist
   */
  Optional<RunEntry> cancel(String run, long now);

  /**
   * Writes the run's state, lease, response queue and counts, if {@code run.holder()} still holds
   * it, it is open (or stays CANCELLED), and the stored entry is older by {@code updatedMillis}. So
   * a delayed copy of an older update changes nothing, and a run that was cancelled or has ended is
   * never reopened. If the same update is made twice, for example after a lost answer, both calls
   * return true.
   *
   * @return false if another client holds the run, it is no longer open, or it does not exist;
   *     nothing was changed then
   */
  boolean update(RunEntry run);

  /**
   * Adds the tasks that a worker has finished to {@link RunEntry#handedIn}. The counts are for
   * display only and approximate: if the same call is made twice, for example after a lost answer,
   * it adds twice. The rate is not stored.
   *
   * @return false if the run does not exist; nothing was changed then
   */
  boolean handIn(String run, FinishedTasks more);

  /** All runs that have not expired. Costs a read of each, ended ones included. */
  List<RunEntry> list();

  /**
   * The runs that have not ended. Costs a read of each, however many have ended; a run that was
   * created a moment ago may be missing.
   */
  default List<RunEntry> notEnded() {
    return list().stream().filter(run -> run.state() != RunEntry.State.ENDED).toList();
  }
}
