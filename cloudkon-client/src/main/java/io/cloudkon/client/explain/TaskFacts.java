package io.cloudkon.client.explain;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one task from journal, results and claims. Immutable.
 *
 * @param id as the user knows it
 * @param ordinal its place in the run, from 0
 * @param all the number of tasks in the run; negative if unknown
 * @param bundled the number of tasks put into bundles so far
 * @param result its final result; null if there is none
 * @param bundle its bundle; null if it is not in one yet
 */
public record TaskFacts(
    String id,
    int ordinal,
    long all,
    long bundled,
    @Nullable Result result,
    @Nullable Bundled bundle) {

  /**
   * The task's line of {@code results.jsonl}.
   *
   * @param worker empty if no worker reported on it
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
   * The task's bundle.
   *
   * @param tasks the number of tasks in the bundle
   * @param sentMicros when the request queue accepted it; client's clock, epoch microseconds; 0 if
   *     unknown
   * @param scope what one claim of it is for
   * @param holders the chain of bundles, from this one to the child that has the task now; at least
   *     one
   * @param ranks the ranks of an HPC job, which is alone in its bundle; 0 for any other task
   */
  public record Bundled(
      int tasks, long sentMicros, ClaimScope scope, List<Holder> holders, int ranks) {
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
   * @param id the bundle's id
   * @param position the task's position in the claim
   * @param sent whether its message is known to have been sent
   * @param claim the claim of the bundle, or of the task itself; null if there is none
   */
  public record Holder(String id, int position, boolean sent, @Nullable Claim claim) {}
}
