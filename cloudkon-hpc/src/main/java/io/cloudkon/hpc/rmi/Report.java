package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * A sub-worker's heartbeat. Its array is never written to.
 *
 * @param worker its id
 * @param ended the ranks that have ended since its last answered heartbeat; usually none
 * @param leaving whether it drains and leaves as soon as the manager releases it
 */
public record Report(String worker, RankEnd[] ended, boolean leaving) implements Serializable {

  /** Checks all components. */
  public Report {
    Check.id("worker", worker);
    Check.all("ended ranks", ended);
  }

  /** The total number of output bytes it contains. */
  long payload() {
    long sum = 0;
    for (RankEnd end : ended) {
      sum += end.payload();
    }
    return sum;
  }
}
