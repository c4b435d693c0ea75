package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The simulated claims behind the port. */
final class PortedClaims implements ClaimStore {
  private final SimCluster cluster;
  private final @Nullable String missing;
  private final SimClaims claims;

  /**
   * The claims.
   *
   * @param missing the name of a cluster whose table does not exist, which the simulator knows no
   *     such thing as; null if it does
   */
  PortedClaims(SimCluster cluster, @Nullable String missing, SimClaims claims) {
    this.cluster = cluster;
    this.missing = missing;
    this.claims = claims;
  }

  private void checkExists() {
    if (missing != null) {
      throw new MissingResourceException("table", missing + "-claims", null);
    }
  }

  @Override
  public ClaimAnswer acquire(Acquisition by) {
    checkExists();
    return cluster.call((caller, reply) -> claims.acquire(caller, Lab.request(by.id()), by, reply));
  }

  @Override
  public ClaimAnswer write(ClaimWrite by) {
    checkExists();
    return cluster.call((caller, reply) -> claims.write(caller, Lab.request(by.id()), by, reply));
  }

  @Override
  public int noteSick(String id, String worker, long ttl) {
    checkExists();
    return cluster.call((caller, reply) -> claims.noteSick(caller, id, worker, reply));
  }

  @Override
  public ClaimAnswer survive(String id, int attempt) {
    checkExists();
    return cluster.call((caller, reply) -> claims.survive(caller, Lab.request(id), attempt, reply));
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    checkExists();
    if (ids.isEmpty()) {
      return Map.of();
    }
    String first = ids.iterator().next();
    return cluster.call((caller, reply) ->
        claims.read(caller, first.substring(0, first.indexOf('/')), List.copyOf(ids), reply));
  }
}
