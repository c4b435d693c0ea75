package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;

/**
 * A manager's answer to a {@link Registration}.
 *
 * @param accepted the ranks that now belong to this sub-worker; empty if it was refused
 * @param leaseMillis the remaining lease of the manager, in milliseconds
 */
public record Welcome(int[] accepted, long leaseMillis) implements Serializable {

  /** Checks both. */
  public Welcome {
    Check.ranks(accepted, Limits.RANKS);
    Check.lease(leaseMillis);
  }
}
