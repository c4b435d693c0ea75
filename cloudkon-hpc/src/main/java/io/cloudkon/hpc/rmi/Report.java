package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * A sub-worker's beat. Its array is never written to.
 *
 * @param worker its id
 * @param ended ranks that ended since its last beat that was answered, mostly none
 * @param leaving whether it drains, and goes as soon as it is let go
 */
public record Report(String worker, RankEnd[] ended, boolean leaving) implements Serializable {

  /** Checks all of it. */
  public Report {
    Check.id("worker", worker);
    Check.all("ended ranks", ended);
  }

  /** The bytes of output within. */
  long payload() {
    long sum = 0;
    for (RankEnd end : ended) {
      sum += end.payload();
    }
    return sum;
  }
}
