package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;

/**
 * A manager's answer to a {@link Registration}.
 *
 * @param accepted the ranks that now belong to this sub-worker; empty if it was refused
 * @param leaseMillis the remaining lease of the manager, in milliseconds
 * @param unreached whether the manager called the sub-worker back and got no answer; false in the
 *     answer of a manager of a former version, which does not call back and sends no such component
 */
public record Welcome(int[] accepted, long leaseMillis, boolean unreached) implements Serializable {
  /** The manager could not call the sub-worker, so that it could not tell it to start ranks. */
  public static final Welcome UNREACHED = new Welcome(new int[0], 0, true);

  /** The answer of a manager that has no reason to think that it cannot call the sub-worker. */
  public Welcome(int[] accepted, long leaseMillis) {
    this(accepted, leaseMillis, false);
  }

  /** Checks ranks and lease. */
  public Welcome {
    Check.ranks(accepted, Limits.RANKS);
    Check.lease(leaseMillis);
  }
}
