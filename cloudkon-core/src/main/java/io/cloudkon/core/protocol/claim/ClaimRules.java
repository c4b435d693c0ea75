package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The conditions and effects of every write on a claim, as pure functions. The memory store uses
 * them directly, the AWS store expresses the same in DynamoDB's condition expressions, and the
 * contract suite verifies that both agree.
 */
public final class ClaimRules {
  private ClaimRules() {}

  /** The claim after the acquisition; empty if it is refused. */
  public static Optional<Claim> acquire(@Nullable Claim current, Acquisition by) {
    if (!mayAcquire(current, by)) {
      return Optional.empty();
    }
    // If the item exists, the acquisition may be a delayed copy for which nobody waits any more:
    // its starts would become lost tasks that nobody had started.
    Positions started = current == null ? by.started() : current.started();
    return Optional.of(
        new Claim(
            by.id(),
            by.mode() == Acquisition.Mode.LOSING ? ClaimState.LOSING : ClaimState.LEASED,
            by.owner(),
            by.nonce(),
            current == null ? 1 : current.attempt() + 1,
            0,
            current == null ? 0 : current.releases(),
            by.leaseEnd(),
            started,
            current == null ? Positions.none() : current.done(),
            current == null ? new TreeMap<>() : current.children(),
            by.ttl(),
            current == null ? Positions.none() : current.survived()));
  }

  private static boolean mayAcquire(@Nullable Claim current, Acquisition by) {
    if (current == null) {
      return by.mode() != Acquisition.Mode.LOSING;
    }
    if (current.nonce().equals(by.nonce())) {
      // A delayed copy of an acquisition that has taken effect would lease the claim to nobody
      // after a release.
      return false;
    }
    boolean expired = current.leaseEnd() < by.expiredBefore();
    return switch (by.mode()) {
      case TAKE_OVER ->
          current.state() == ClaimState.RELEASED
              || (current.state() == ClaimState.LEASED && expired);
      case FRESH -> current.state() == ClaimState.RELEASED;
      case LOSING ->
          (current.state() == ClaimState.LEASED || current.state() == ClaimState.LOSING)
              && expired
              && current.attempt() == by.expectedAttempt();
    };
  }

  /** The claim after an owner's write; empty if it is refused. */
  public static Optional<Claim> write(@Nullable Claim current, ClaimWrite by) {
    if (current == null
        || current.state() != by.expected()
        || current.attempt() != by.attempt()
        || !current.nonce().equals(by.nonce())
        || current.seq() >= by.seq()) {
      return Optional.empty();
    }
    return Optional.of(
        new Claim(
            current.id(),
            by.state(),
            current.owner(),
            current.nonce(),
            current.attempt(),
            by.seq(),
            by.releases(),
            by.leaseEnd(),
            by.started(),
            by.done(),
            by.children(),
            by.ttl(),
            current.survived()));
  }

  /**
   * The claim after a former owner, or one that is about to lose it, took its attempt back; empty
   * if this is refused. A repeated or delayed call does no harm, because attempts are a set and
   * each has one owner.
   *
   * @param attempt the attempt whose live owner lost its lease, or whose commands the owner's guard
   *     killed
   */
  public static Optional<Claim> survive(@Nullable Claim current, int attempt) {
    if (current == null || current.state() == ClaimState.DONE || current.attempt() < attempt) {
      return Optional.empty();
    }
    return Optional.of(current.withSurvived(attempt));
  }
}
