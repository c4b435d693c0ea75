package io.cloudkon.core.port;

import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Claims, each changed by conditional writes only. What a write requires and does is said once, in
 * {@link io.cloudkon.core.protocol.claim.ClaimRules}; every implementation does exactly that.
 */
public interface ClaimStore {

  /** Tries to become the owner. */
  Answer acquire(Acquisition acquisition);

  /** An owner's write. */
  Answer write(ClaimWrite write);

  /**
   * Reads claims, consistently.
   *
   * @param ids up to 100
   * @return by id; what does not exist is missing
   */
  Map<String, Claim> read(Collection<String> ids);

  /** How a conditional write ended. */
  sealed interface Answer {
    /**
     * It was carried out.
     *
     * @param claim the claim after it
     */
    record Accepted(Claim claim) implements Answer {}

    /**
     * Its condition did not hold.
     *
     * @param current the claim as it stands; null if there is none
     */
    record Refused(@Nullable Claim current) implements Answer {}
  }
}
