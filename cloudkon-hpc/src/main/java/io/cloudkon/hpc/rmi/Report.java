package io.cloudkon.hpc.rmi;

import java.io.Serializable;

/**
 * A sub-worker's beat. Its array is never written to.
 *
 * @param worker its id
 * @param ended ranks that ended since its last beat that was answered, mostly none
 */
public record Report(String worker, RankEnd[] ended) implements Serializable {

  /** Checks both. */
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
