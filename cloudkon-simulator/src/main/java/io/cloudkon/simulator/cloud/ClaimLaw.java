package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions and effects of writes to claims. Tests substitute wrong ones. */
public interface ClaimLaw {
  /** The rules of the protocol. */
  ClaimLaw RULES =
      new ClaimLaw() {
        @Override
        public Optional<Claim> acquire(@Nullable Claim current, Acquisition by) {
          return ClaimRules.acquire(current, by);
        }

        @Override
        public Optional<Claim> write(@Nullable Claim current, ClaimWrite by) {
          return ClaimRules.write(current, by);
        }
      };

  /** See {@link ClaimRules#acquire}. */
  Optional<Claim> acquire(@Nullable Claim current, Acquisition by);

  /** See {@link ClaimRules#write}. */
  Optional<Claim> write(@Nullable Claim current, ClaimWrite by);

  /** See {@link ClaimRules#survive}. */
  default Optional<Claim> survive(@Nullable Claim current, int attempt) {
    return ClaimRules.survive(current, attempt);
  }
}
