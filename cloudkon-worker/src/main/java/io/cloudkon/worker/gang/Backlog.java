package io.cloudkon.worker.gang;

/**
 * Jobs in hand whose results are still to come. While there are some, results and deletions of
 * others wait for them, so that a call carries several; a lonely job is not delayed. Thread safe.
 */
public final class Backlog {
  /** At 200 jobs/s, ten of them. */
  private static final long GATHER_MILLIS = 50;

  private volatile int jobs;

  /** So many are there now. */
  void is(int toCome) {
    jobs = toCome;
  }

  /** How long what is to be sent may wait for more, in milliseconds. */
  public long gatherMillis() {
    return jobs > 0 ? GATHER_MILLIS : 0;
  }
}
