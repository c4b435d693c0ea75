package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * A manager's order to stop the ranks that a sub-worker runs for one attempt of a job.
 *
 * @param job the job's id
 * @param attempt the attempt of the job
 */
public record KillRanks(String job, int attempt) implements Serializable {

  /** Checks both. */
  public KillRanks {
    Check.id("job", job);
    Check.attempt(attempt);
  }
}
