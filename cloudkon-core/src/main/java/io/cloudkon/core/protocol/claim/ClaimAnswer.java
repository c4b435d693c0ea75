package io.cloudkon.core.protocol.claim;

import org.jspecify.annotations.Nullable;

/** The outcome of a conditional write on a claim. Immutable. */
public sealed interface ClaimAnswer {
  /**
   * The write was carried out.
   *
   * @param claim the claim after it
   */
  record Accepted(Claim claim) implements ClaimAnswer {}

  /**
   * The write's condition did not hold.
   *
   * @param current the current claim; null if there is none
   */
  record Refused(@Nullable Claim current) implements ClaimAnswer {}
}
