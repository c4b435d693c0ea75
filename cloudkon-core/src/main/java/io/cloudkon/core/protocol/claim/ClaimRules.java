package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The conditions and effects of every write on a claim, as pure functions. The memory store runs
 * them, the AWS store says the same in DynamoDB's expressions, and the contract suite holds the two
 * together.
 */
public final class ClaimRules {
  private ClaimRules() {}

  /** The claim after the acquisition; empty if it is refused. */
  public static Optional<Claim> acquire(@Nullable Claim current, Acquisition by) {
    if (!mayAcquire(current, by)) {
      return Optional.empty();
    }
    // Where there is an item, a copy of an acquisition that nobody waits for any more may be late:
    // the starts that it brought would be lost tasks, and nobody would have started them.
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
      // A late copy of an acquisition that has taken effect: after a release it would lease the
      // claim to nobody.
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
   * The claim after a former owner, or one that is about to be, took its attempt back; empty if it
   * is refused. Repeated or late, it does no harm: attempts are a set, and each has one owner.
   *
   * @param attempt the one that lost its lease while its owner lived
   */
  public static Optional<Claim> survive(@Nullable Claim current, int attempt) {
    if (current == null || current.state() == ClaimState.DONE || current.attempt() < attempt) {
      return Optional.empty();
    }
    return Optional.of(current.withSurvived(attempt));
  }
}
