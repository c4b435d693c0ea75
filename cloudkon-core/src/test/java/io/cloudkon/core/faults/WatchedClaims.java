package io.cloudkon.core.faults;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.Map;

/** The claims, with the witness looking on. */
final class WatchedClaims implements ClaimStore {
  private final ClaimStore store;
  private final Witness witness;

  WatchedClaims(ClaimStore store, Witness witness) {
    this.store = store;
    this.witness = witness;
  }

  @Override
  public Answer acquire(Acquisition acquisition) {
    return watched(store.acquire(acquisition));
  }

  @Override
  public Answer write(ClaimWrite write) {
    return watched(store.write(write));
  }

  private Answer watched(Answer answer) {
    if (answer instanceof Answer.Accepted accepted) {
      witness.claimed(accepted.claim());
    }
    return answer;
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    return store.read(ids);
  }
}
