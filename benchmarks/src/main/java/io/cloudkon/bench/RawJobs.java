package io.cloudkon.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Measures how many HPC jobs per second are possible with only the calls that every job requires:
 * one acquire, one DONE, and its share of batches of ten. {@code RawJobs QUEUE JOBS} prints the
 * best result of the {@link #CALLERS}, after a warm-up. Each makes the calls of at least four full
 * batches for each caller.
 */
public final class RawJobs {
  /** The numbers of callers that are tried; few are too slow, and many hinder each other. */
  static final List<Integer> CALLERS = List.of(4, 8, 16);

  private static final int REQUEST_BYTES = 250;
  private static final int RESULT_BYTES = 400;

  private RawJobs() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int jobs = Integer.parseInt(args[1]);
    double best = 0;
    try (RawCalls calls = new RawCalls(args[0])) {
      double unused = calls.run(load(jobs, CALLERS.getFirst()));
      for (int number : CALLERS) {
        RawLoad load = load(jobs, number);
        best = Math.max(best, load.bundles() / calls.run(load));
      }
    }
    System.out.printf(Locale.ROOT, "%.1f%n", best);
  }

  /** The bare calls of this number of jobs, or of more, so that every caller has enough. */
  static RawLoad load(int jobs, int callers) {
    return new RawLoad(jobs, REQUEST_BYTES, RESULT_BYTES, callers, 2).several();
  }
}
