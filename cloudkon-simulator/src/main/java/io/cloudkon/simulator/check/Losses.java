package io.cloudkon.simulator.check;

import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The attempts at one bundle that their owners lost; checks whether enough of the owners died. */
final class Losses {
  /**
   * The time for which an owner that was stopped or cut off may not have taken its attempt back
   * yet, in milliseconds.
   */
  private static final long COMES_BACK = 120_000;

  private final List<Loss> losses = new ArrayList<>(1);

  /**
   * A lost attempt.
   *
   * @param counts whether it counts although its owner is alive: ranks of it died elsewhere, or the
   *     owner may not know of the attempt because a late copy of an acquisition created it
   */
  private record Loss(int attempt, String owner, long leaseEnd, boolean counts) {}

  /**
   * Records that a claim changed.
   *
   * @param started whether a task started under the previous attempt
   */
  void changed(Claim before, Claim after, boolean started) {
    boolean takenOver = after.attempt() > before.attempt() && before.state() == ClaimState.LEASED;
    boolean countedRelease = isCountedRelease(before, after);
    if (takenOver || countedRelease) {
      boolean unknown = before.seq() == 0 && !started;
      losses.add(
          new Loss(before.attempt(), before.owner(), before.leaseEnd(), countedRelease || unknown));
    }
  }

  /** Whether a claim was given back as an attempt that counts, because ranks of it died. */
  static boolean isCountedRelease(Claim before, Claim after) {
    return before.state() == ClaimState.LEASED
        && after.state() == ClaimState.RELEASED
        && after.releases() == before.releases();
  }

  /**
   * Checks a claim that is given up because its workers died.
   *
   * @param dead whether the worker of this name is dead
   * @throws Violation if fewer workers died than the limit
   */
  void givenUp(Claim claim, Predicate<String> dead) {
    long deaths =
        losses.stream()
            .filter(loss -> !claim.survived().contains(loss.attempt()))
            .filter(loss ->
                loss.counts()
                    || dead.test(loss.owner())
                    || claim.leaseEnd() - loss.leaseEnd() < COMES_BACK)
            .count();
    if (deaths < AttemptSettings.DEFAULT.max()) {
      throw new Violation(
          "%s is given up as its worker died, and of its %d attempts that were lost %d were deaths",
          claim.id(), losses.size(), deaths);
    }
  }
}
