package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of one receive, as one after the other is sent until the claim is this owner's
 * or somebody else's.
 */
final class Acquisitions {
  private final String claim;
  private final Consistency consistency;
  private final LeaseSettings settings;
  private final String owner;
  private final String nonce;

  /** When this nonce's first acquisition to run was sent: a lost answer may be that one's. */
  private @Nullable Moment firstSent;

  /** The same for the acquisitions to settle only. */
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
   * The first one is about to be sent.
   *
   * @param starts what each of them records as started, unless it is to settle only
   */
  void begin(Positions starts, Moment now) {
    firstStarts = starts;
    firstSent = now;
  }

  /** One that is to run what nobody has recorded. */
  ClaimEffect toRun(Moment now) {
    Acquisition.Mode mode =
        consistency == Consistency.AT_MOST_ONCE
            ? Acquisition.Mode.FRESH
            : Acquisition.Mode.TAKE_OVER;
    return send(mode, 0, firstStarts, now);
  }

  /** At-most-once: the first one that is to settle what this expired owner left. */
  ClaimEffect toSettle(Claim expired, Moment now) {
    succeedingSince = now;
    return send(Acquisition.Mode.LOSING, expired.attempt(), Positions.none(), now);
  }

  /** The same again, as who holds it now is unknown: refused, it is a look at it. */
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
            now.service() + settings.lease(),
            now.service() - settings.margin(),
            expected,
            starts,
            Claim.ttl(now)));
  }

  /** Whether this shows an acquisition of this receive, its answer lost. */
  boolean shownBy(Claim current) {
    return current.nonce().equals(nonce) && current.state() != ClaimState.DONE;
  }

  /** When the first of those was sent that this may show. */
  Moment firstShownBy(Claim current) {
    Moment settling = current.state() == ClaimState.LOSING ? succeedingSince : null;
    return Objects.requireNonNull(settling == null ? firstSent : settling);
  }

  /** Whether nobody holds it, or nobody for certain any more. */
  boolean mayTake(Claim current, Moment now) {
    return current.state() == ClaimState.RELEASED
        || current.leaseEnd() < now.service() - settings.margin();
  }

  /** Whether who takes it over may run its tasks. */
  boolean mayRun(Claim current) {
    return current.state() == ClaimState.RELEASED || consistency == Consistency.EXACTLY_ONCE;
  }
}
