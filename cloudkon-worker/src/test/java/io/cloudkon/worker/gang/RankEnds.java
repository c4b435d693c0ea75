package io.cloudkon.worker.gang;

import io.cloudkon.hpc.rmi.RankEnd;

/** Ends of ranks, as their workers tell them. */
final class RankEnds {
  private static final byte[] NOTHING = {};

  private RankEnds() {}

  static RankEnd end(String job, int attempt, int rank, String status) {
    return end(job, attempt, rank, status, NOTHING);
  }

  /** One that printed this, to both outputs, and answered it. */
  static RankEnd end(String job, int attempt, int rank, String status, byte[] said) {
    long bytes = said.length;
    String error = status.equals("SUCCEEDED") ? "" : "it ended as " + status;
    return new RankEnd(
        job, attempt, rank, status, 0, said, bytes, said, bytes, said, bytes, error, 10, 20, false);
  }

  static RankEnd stuck(String job, int attempt, int rank) {
    byte[] no = NOTHING;
    return new RankEnd(
        job, attempt, rank, "TIMED_OUT", 0, no, 0, no, 0, no, 0, "timed out", 10, 20, true);
  }
}
