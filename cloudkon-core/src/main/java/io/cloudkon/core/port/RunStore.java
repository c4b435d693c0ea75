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
   * Writes the run's state, lease, response queue and counts, if {@code run.holder()} still holds
   * it, it is open, and what stands there is older by {@code updatedMillis}: a late copy of an
   * older update changes nothing, and nothing opens a run again that was cancelled or has ended.
   * The same update made twice, as after a lost answer, is true both times.
   *
   * @return false if another client holds it now, or it is not open any more, or gone; nothing was
   *     changed then
   */
  boolean update(RunEntry run);

  /** All runs that have not expired. */
  List<RunEntry> list();
}
