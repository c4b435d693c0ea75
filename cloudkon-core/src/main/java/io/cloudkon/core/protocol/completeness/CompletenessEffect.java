package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;

/** An action that the completeness machine asks for. */
public sealed interface CompletenessEffect {

  /** Read these claims; the answer comes back by {@link CompletenessMachine#claimsRead}. */
  record ReadClaims(List<String> ids) implements CompletenessEffect {}

  /**
   * Send these tasks again under their bundle's or child's id, and say so by {@link
   * CompletenessMachine#resent} once the request queue has accepted them; if it has not, they are
   * asked for anew within a few seconds.
   *
   * @param bundle the id
   * @param ordinals its tasks, ascending
   */
  record Resend(String bundle, int[] ordinals) implements CompletenessEffect {}

  /**
   * Look for the results of a bundle that is done in the blob store, offer what is there, and call
   * {@link CompletenessMachine#fetched}, or {@link CompletenessMachine#fetchFailed} if it cannot be
   * asked.
   *
   * @param ordinals the tasks whose results are missing
   * @param recorded those of them whose final result was accepted by a response queue
   * @param claim of the bundle or child that ran them
   */
  record FetchResults(int[] ordinals, int[] recorded, Claim claim) implements CompletenessEffect {}

  /**
   * These tasks are LOST unless a result still comes: to be journaled.
   *
   * @param recorded those of them whose final result was accepted by a response queue, and is gone;
   *     the others were given up, as those of a run that is no longer open are
   */
  record ProvisionalLost(int[] ordinals, int[] recorded, Claim claim)
      implements CompletenessEffect {}

  /** These tasks are LOST for good: to be written. */
  record FinalLost(int[] ordinals) implements CompletenessEffect {}

  /** Every task has its final result. */
  record Complete() implements CompletenessEffect {}
}
