package io.cloudkon.client.explain;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one task from journal, results and claims. Immutable.
 *
 * @param id as the user knows it
 * @param ordinal its place in the run, from 0
 * @param all how many tasks the run has; negative if unknown
 * @param bundled how many tasks were put into bundles so far
 * @param result its final result; null if there is none
 * @param bundle the bundle that it was put into; null if it was not yet
 */
public record TaskFacts(
    String id,
    int ordinal,
    long all,
    long bundled,
    @Nullable Result result,
    @Nullable Bundled bundle) {

  /**
   * Its line of {@code results.jsonl}.
   *
   * @param worker empty if none spoke for it
   * @param error empty if it succeeded
   * @param finishedMicros client's clock, epoch microseconds; 0 if unknown
   */
  public record Result(
      TaskStatus status,
      String worker,
      int attempt,
      int tries,
      String error,
      long finishedMicros) {}

  /**
   * Its bundle.
   *
   * @param tasks how many the bundle has
   * @param sentMicros when the request queue accepted it; client's clock, epoch microseconds; 0 if
   *     nothing says that it did
   * @param holders the bundle, and from child to child the one that has the task now; at least one
   * @param ranks of an HPC job, which is alone in its bundle; 0 if it is none
   */
  public record Bundled(int tasks, long sentMicros, List<Holder> holders, int ranks) {
    public Bundled {
      holders = List.copyOf(holders);
    }

    /** The bundle that has the task now. */
    Holder last() {
      return holders.getLast();
    }
  }

  /**
   * A bundle that has or had the task.
   *
   * @param id the bundle's
   * @param position the task's in the claim
   * @param sent whether its message is known to have been sent
   * @param claim the bundle's, or the task's own; null if there is none
   */
  public record Holder(String id, int position, boolean sent, @Nullable Claim claim) {}
}
