package io.cloudkon.core.port;

import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.Map;

/**
 * Claims, each changed by conditional writes only. What a write requires and does is said once, in
 * {@link io.cloudkon.core.protocol.claim.ClaimRules}; every implementation does exactly that.
 */
public interface ClaimStore {

  /** Tries to become the owner. */
  ClaimAnswer acquire(Acquisition acquisition);

  /** An owner's write. */
  ClaimAnswer write(ClaimWrite write);

  /**
   * Notes that a worker gave a bundle back because the worker is sick. Noted again by the same
   * worker, it changes nothing. Stands beside the claim, and also where there is none.
   *
   * @param id the claim's
   * @param ttl when it may be forgotten; epoch seconds
   * @return how many different workers gave it back like this so far
   */
  int noteSick(String id, String worker, long ttl);

  /**
   * A former owner takes an attempt back: it lost the lease and lives. May be repeated, at any
   * time.
   *
   * @param id the claim's
   * @param attempt the one that was lost
   * @return refused where the claim is gone or DONE, or never was at that attempt
   */
  ClaimAnswer survive(String id, int attempt);

  /**
   * Reads claims, consistently.
   *
   * @param ids up to 100
   * @return by id; what does not exist is missing
   */
  Map<String, Claim> read(Collection<String> ids);
}
