package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of one receive, which are sent one after the other until this owner or another
 * one has the claim.
 */
final class Acquisitions {
  private final String claim;
  private final Consistency consistency;
  private final LeaseSettings settings;
  private final String owner;
  private final String nonce;

  /**
   * The time at which this nonce's first acquisition to run was sent, because its answer may be the
   * one that was lost.
   */
  private @Nullable Moment firstSent;

  /** The same for acquisitions only to settle. */
  private @Nullable Moment succeedingSince;

  /** The attempt that the acquisition under way expects to succeed; 0 if none. */
  private int seenAttempt;

  private Positions firstStarts = Positions.none();

  Acquisitions(
      String claim, Consistency consistency, LeaseSettings settings, String owner, String nonce) {
    this.claim = claim;
    this.consistency = consistency;
    this.settings = settings;
    this.owner = owner;
    this.nonce = nonce;
  }

  /**
   * Prepares the first acquisition.
   *
   * @param starts the starts that each acquisition records, unless it is only to settle
   */
  void begin(Positions starts, Moment now) {
    firstStarts = starts;
    firstSent = now;
  }

  /** An acquisition to run the tasks that are not recorded. */
  ClaimEffect toRun(Moment now) {
    Acquisition.Mode mode =
        consistency == Consistency.AT_MOST_ONCE
            ? Acquisition.Mode.FRESH
            : Acquisition.Mode.TAKE_OVER;
    return send(mode, 0, firstStarts, now);
  }

  /** In at-most-once, the first acquisition to settle the tasks of this expired owner. */
  ClaimEffect toSettle(Claim expired, Moment now) {
    succeedingSince = now;
    return send(Acquisition.Mode.LOSING, expired.attempt(), Positions.none(), now);
  }

  /**
   * The same acquisition again, because the current holder is unknown: a refusal shows the claim.
   */
  ClaimEffect toSettleAgain(Moment now) {
    return send(Acquisition.Mode.LOSING, seenAttempt, Positions.none(), now);
  }

  private ClaimEffect send(Acquisition.Mode mode, int expected, Positions starts, Moment now) {
    seenAttempt = expected;
    return new ClaimEffect.Acquire(
        new Acquisition(
            claim,
            mode,
            owner,
            nonce,
            now.leaseEnd(settings.lease()),
            now.expiredBefore(settings.margin()),
            expected,
            starts,
            Claim.ttl(now)));
  }

  /** Whether the claim shows an acquisition of this receive, whose answer was lost. */
  boolean shownBy(Claim current) {
    return current.acquiredBy(nonce);
  }

  /** The time at which the first acquisition was sent that the claim may show. */
  Moment firstShownBy(Claim current) {
    Moment settling = current.state() == ClaimState.LOSING ? succeedingSince : null;
    return Objects.requireNonNull(settling == null ? firstSent : settling);
  }

  /** Whether the claim has no holder, or certainly no valid one any more. */
  boolean mayTake(Claim current, Moment now) {
    return current.state() == ClaimState.RELEASED
        || current.leaseEnd() < now.expiredBefore(settings.margin());
  }

  /** Whether a worker that takes the claim over may run its tasks. */
  boolean mayRun(Claim current) {
    return current.state() == ClaimState.RELEASED || consistency == Consistency.EXACTLY_ONCE;
  }
}
