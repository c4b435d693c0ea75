package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;

/**
 * A manager's answer to a {@link Registration}.
 *
 * @param accepted the ranks that are this sub-worker's now; empty: refused
 * @param leaseMillis what remains of the manager's lease, milliseconds
 */
public record Welcome(int[] accepted, long leaseMillis) implements Serializable {

  /** Checks both. */
  public Welcome {
    Check.ranks(accepted, Limits.RANKS);
    Check.lease(leaseMillis);
  }
}
