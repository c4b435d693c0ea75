package io.cloudkon.worker.gang;

/**
 * The number of jobs in hand whose results are still to come. While there are some, results and
 * deletions of other jobs wait briefly, so that one call carries several; a single job is not
 * delayed. Thread safe.
 */
public final class Backlog {
  /** Gathers ten jobs at a rate of 200 jobs/s. */
  private static final long GATHER_MILLIS = 50;

  private volatile int jobs;

  /** Sets the number of jobs. */
  void is(int toCome) {
    jobs = toCome;
  }

  /** How long outgoing results and deletions may wait for others, in milliseconds. */
  public long gatherMillis() {
    return jobs > 0 ? GATHER_MILLIS : 0;
  }
}
