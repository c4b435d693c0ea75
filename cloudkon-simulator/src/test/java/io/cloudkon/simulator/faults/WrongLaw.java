package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.simulator.cloud.ClaimLaw;
import io.cloudkon.simulator.world.BugHook;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table of claims that bends what stands in it until the production rules let a write pass. */
record WrongLaw(Breach breach) implements BugHook, ClaimLaw {
  /** Which condition is left out, or which effect. */
  enum Breach {
    STALE_WRITE,
    SEQ,
    NONCE,
    LIVE_LEASE,
    DONE,
    STARTS
  }

  @Override
  public ClaimLaw law() {
    return this;
  }

  @Override
  public Optional<Claim> acquire(@Nullable Claim current, Acquisition by) {
    Claim bent = current != null && given(current) ? releasedAgain(current) : current;
    return ClaimRules.acquire(bent, by).map(this::recorded);
  }

  private boolean given(Claim claim) {
    return (breach == Breach.LIVE_LEASE && claim.state() == ClaimState.LEASED)
        || (breach == Breach.DONE && claim.state() == ClaimState.DONE);
  }

  private static Claim releasedAgain(Claim of) {
    return with(of, ClaimState.RELEASED, of.nonce(), of.attempt(), of.seq(), of.started());
  }

  @Override
  public Optional<Claim> write(@Nullable Claim current, ClaimWrite by) {
    return ClaimRules.write(current == null ? null : bent(current, by), by).map(this::recorded);
  }

  private Claim bent(Claim of, ClaimWrite by) {
    return switch (breach) {
      case STALE_WRITE ->
          with(of, by.expected(), by.nonce(), by.attempt(), by.seq() - 1, of.started());
      case SEQ -> with(of, of.state(), of.nonce(), of.attempt(), by.seq() - 1, of.started());
      case NONCE -> with(of, of.state(), by.nonce(), by.attempt(), of.seq(), of.started());
      case LIVE_LEASE, DONE, STARTS -> of;
    };
  }

  private Claim recorded(Claim claim) {
    return breach == Breach.STARTS
        ? with(claim, claim.state(), claim.nonce(), claim.attempt(), claim.seq(), Positions.none())
        : claim;
  }

  private static Claim with(
      Claim of, ClaimState state, String nonce, int attempt, long seq, Positions started) {
    boolean same = state == of.state();
    return new Claim(
        of.id(),
        state,
        of.owner(),
        nonce,
        attempt,
        seq,
        of.releases(),
        same ? of.leaseEnd() : 0,
        started,
        of.done(),
        of.children(),
        of.ttl());
  }
}
