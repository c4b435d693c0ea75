package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.protocol.claim.Claim;
import java.util.List;

/** An action that the completeness machine requests. */
public sealed interface CompletenessEffect {

  /** Read these claims; answered by {@link CompletenessMachine#claimsRead}. */
  record ReadClaims(List<String> ids) implements CompletenessEffect {}

  /**
   * Send these tasks again under the id of their bundle or child, and report it by {@link
   * CompletenessMachine#resent} once the request queue has accepted them; otherwise this effect is
   * repeated within a few seconds.
   *
   * @param bundle the id
   * @param ordinals its tasks in ascending order
   */
  record Resend(String bundle, int[] ordinals) implements CompletenessEffect {}

  /**
   * Look in the blob store for the results of a bundle that is done, offer those that exist, and
   * call {@link CompletenessMachine#fetched}, or {@link CompletenessMachine#fetchFailed} if the
   * store cannot be reached.
   *
   * @param ordinals the tasks whose results are missing
   * @param recorded those of them whose final result was accepted by a response queue
   * @param claim the claim of the bundle or child that ran them
   */
  record FetchResults(int[] ordinals, int[] recorded, Claim claim) implements CompletenessEffect {}

  /**
   * These tasks are LOST unless a result still arrives; write this to the journal.
   *
   * @param recorded those of them whose final result was accepted by a response queue and no longer
   *     exists; the others were given up, like those of a run that is no longer open
   */
  record ProvisionalLost(int[] ordinals, int[] recorded, Claim claim)
      implements CompletenessEffect {}

  /** These tasks are finally LOST; write their results. */
  record FinalLost(int[] ordinals) implements CompletenessEffect {}

  /** Every task has its final result. */
  record Complete() implements CompletenessEffect {}
}
