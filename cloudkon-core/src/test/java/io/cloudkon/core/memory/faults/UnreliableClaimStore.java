package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A claim store whose calls meet their fates. */
final class UnreliableClaimStore implements ClaimStore {
  private final ClaimStore store;
  private final Injector injector;

  UnreliableClaimStore(ClaimStore store, Injector injector) {
    this.store = store;
    this.injector = injector;
  }

  @Override
  public ClaimAnswer acquire(Acquisition acquisition) {
    return injector.call(Operation.CLAIM_ACQUIRE, () -> store.acquire(acquisition));
  }

  @Override
  public ClaimAnswer write(ClaimWrite write) {
    return injector.call(Operation.CLAIM_WRITE, () -> store.write(write));
  }

  @Override
  public int noteSick(String id, String worker, long ttl) {
    return injector.call(Operation.CLAIM_WRITE, () -> store.noteSick(id, worker, ttl));
  }

  @Override
  public ClaimAnswer survive(String id, int attempt) {
    return injector.call(Operation.CLAIM_SURVIVE, () -> store.survive(id, attempt));
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    List<String> copy = List.copyOf(ids);
    return injector.call(Operation.CLAIM_READ, () -> store.read(copy));
  }
}
