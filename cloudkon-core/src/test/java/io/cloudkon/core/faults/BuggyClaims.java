package io.cloudkon.core.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A claim store with planted bugs: it bends what it is asked until the rules let it pass. */
final class BuggyClaims implements ClaimStore {
  private final Map<String, Claim> claims = new HashMap<>();
  private final Set<Bug> bugs;

  BuggyClaims(Set<Bug> bugs) {
    this.bugs = bugs;
  }

  @Override
  public Answer acquire(Acquisition asked) {
    Claim current = claims.get(asked.id());
    return answer(current, ClaimRules.acquire(current == null ? null : bend(current), asked));
  }

  @Override
  public Answer write(ClaimWrite asked) {
    Claim current = claims.get(asked.id());
    if (current != null && bugs.contains(Bug.STALE_WRITE_ACCEPTED)) {
      Claim bent =
          with(current, asked.expected(), asked.nonce(), asked.attempt(), asked.seq() - 1, 0);
      return answer(current, ClaimRules.write(bent, asked));
    }
    return answer(current, ClaimRules.write(current, asked));
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    Map<String, Claim> found = new HashMap<>(claims);
    found.keySet().retainAll(ids);
    return found;
  }

  private Claim bend(Claim current) {
    boolean taken =
        bugs.contains(Bug.LIVE_LEASE_TAKEN) && current.state() == ClaimState.LEASED
            || bugs.contains(Bug.DONE_RETAKEN) && current.state() == ClaimState.DONE;
    return taken
        ? with(current, ClaimState.RELEASED, current.nonce(), current.attempt(), current.seq(), 0)
        : current;
  }

  private static Claim with(
      Claim of, ClaimState state, String nonce, int attempt, long seq, long leaseEnd) {
    return new Claim(
        of.id(),
        state,
        of.owner(),
        nonce,
        attempt,
        seq,
        of.releases(),
        leaseEnd,
        of.started(),
        of.done(),
        of.children(),
        of.ttl());
  }

  private Answer answer(@Nullable Claim current, Optional<Claim> changed) {
    if (changed.isEmpty()) {
      return new Answer.Refused(current);
    }
    Claim claim = changed.get();
    claims.put(claim.id(), bugs.contains(Bug.STARTS_NOT_RECORDED) ? withoutStarts(claim) : claim);
    return new Answer.Accepted(claim);
  }

  private static Claim withoutStarts(Claim of) {
    return new Claim(
        of.id(),
        of.state(),
        of.owner(),
        of.nonce(),
        of.attempt(),
        of.seq(),
        of.releases(),
        of.leaseEnd(),
        Positions.none(),
        of.done(),
        of.children(),
        of.ttl());
  }
}
