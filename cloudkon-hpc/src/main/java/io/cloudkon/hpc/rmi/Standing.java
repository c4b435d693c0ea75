package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * The state of a gang from the point of view of the worker that answers.
 *
 * @param known whether the gang still exists
 * @param leaseMillis the remaining lease of the worker that answers, in milliseconds
 */
public record Standing(boolean known, long leaseMillis) implements Serializable {
  /** The gang does not exist, or no longer exists. */
  public static final Standing GONE = new Standing(false, 0);

  /** Checks the lease. */
  public Standing {
    Check.lease(leaseMillis);
  }
}
