package io.cloudkon.core.port;

import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.Map;

/**
 * The claims, which are changed only by conditional writes. {@link
 * io.cloudkon.core.protocol.claim.ClaimRules} defines what each write requires and does; every
 * implementation follows these rules exactly.
 */
public interface ClaimStore {

  /** Tries to become the owner. */
  ClaimAnswer acquire(Acquisition acquisition);

  /** An owner's write. */
  ClaimAnswer write(ClaimWrite write);

  /**
   * Notes that a worker gave a bundle back because the worker is sick. A repeated note of the same
   * worker changes nothing. The note is stored beside the claim, and also if there is no claim.
   *
   * @param id the id of the claim
   * @param ttl when the note may be removed, in epoch seconds
   * @return how many different workers have given the bundle back for this reason so far
   */
  int noteSick(String id, String worker, long ttl);

  /**
   * Takes an attempt back for a former owner that lost the lease but is alive. May be repeated at
   * any time.
   *
   * @param id the id of the claim
   * @param attempt the attempt that was lost
   * @return refused if the claim does not exist, is DONE, or never had that attempt
   */
  ClaimAnswer survive(String id, int attempt);

  /**
   * Reads claims, consistently.
   *
   * @param ids at most 100 ids
   * @return the claims by id, without those that do not exist
   */
  Map<String, Claim> read(Collection<String> ids);
}
