package io.cloudkon.simulator.check;

import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The attempts at one bundle that its owners lost, and whether so many of them died. */
final class Losses {
  /** For so long, in milliseconds, who was stopped or cut off may not have taken it back yet. */
  private static final long COMES_BACK = 120_000;

  private final List<Loss> losses = new ArrayList<>(1);

  /**
   * One that was lost.
   *
   * @param counts whether it counts although its owner lives: ranks of it died elsewhere, or its
   *     owner may not know of it, as a late copy of an acquisition brought it
   */
  private record Loss(int attempt, String owner, long leaseEnd, boolean counts) {}

  /**
   * The claim changed.
   *
   * @param started whether a task started under the attempt before
   */
  void changed(Claim before, Claim after, boolean started) {
    boolean takenOver = after.attempt() > before.attempt() && before.state() == ClaimState.LEASED;
    boolean countedRelease =
        before.state() == ClaimState.LEASED
            && after.state() == ClaimState.RELEASED
            && after.releases() == before.releases();
    if (takenOver || countedRelease) {
      boolean unknown = before.seq() == 0 && !started;
      losses.add(
          new Loss(before.attempt(), before.owner(), before.leaseEnd(), countedRelease || unknown));
    }
  }

  /**
   * The claim is given up because its workers died.
   *
   * @param dead whether the worker of this name is dead
   * @throws Violation if fewer than allowed did
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
