package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * The state of a gang as the worker that was asked sees it.
 *
 * @param known false: the gang is no more
 * @param leaseMillis what remains of the lease of whoever answers, milliseconds
 */
public record Standing(boolean known, long leaseMillis) implements Serializable {
  /** No such gang, or no more. */
  public static final Standing GONE = new Standing(false, 0);

  /** Checks the lease. */
  public Standing {
    Check.lease(leaseMillis);
  }
}
