package io.cloudkon.core.port;

import java.util.List;
import java.util.Optional;

/** The runs of the cluster: who collects them, where their results go, how far they are. */
public interface RunStore {

  /**
   * Publishes a new run; false if its id is used already, and then nothing was changed. The same
   * entry published twice, as after a lost answer, is true both times.
   */
  boolean create(RunEntry run);

  /** One run, read consistently. */
  Optional<RunEntry> read(String run);

  /**
   * Gives the run to another client, if it still stands there as it was seen: nobody has renewed
   * its lease meanwhile. The same call made twice, as after a lost answer, is true both times.
   *
   * @param next the run as its new holder writes it, in the state in which it was seen
   * @param seen the run as it was read
   * @return false if it stands there otherwise now, or has ended, or is gone; nothing was changed
   *     then
   */
  boolean takeOver(RunEntry next, RunEntry seen);

  /**
   * Cancels the run if it is open, whoever holds it; its holder keeps it, to settle it.
   *
   * @param now service clock, epoch milliseconds
   * @return the run as it stands after that, CANCELLED now or before, or ENDED; empty if there is
   *     none
   */
  Optional<RunEntry> cancel(String run, long now);

  /**
   * Writes the run's state, lease, response queue and counts, if {@code run.holder()} still holds
   * it, it is open (or stays CANCELLED), and what stands there is older by {@code updatedMillis}: a
   * late copy of an older update changes nothing, and nothing opens a run again that was cancelled
   * or has ended. The same update made twice, as after a lost answer, is true both times.
   *
   * @return false if another client holds it now, or it is not open any more, or gone; nothing was
   *     changed then
   */
  boolean update(RunEntry run);

  /**
   * Adds to {@link RunEntry#handedIn} what a worker has finished of a run on which it does not work
   * any more. For people, and about: the same call made twice, as after a lost answer, adds twice.
   * The rate is not kept.
   *
   * @return false if there is no such run; nothing was changed then
   */
  boolean handIn(String run, FinishedTasks more);

  /** All runs that have not expired. */
  List<RunEntry> list();
}
