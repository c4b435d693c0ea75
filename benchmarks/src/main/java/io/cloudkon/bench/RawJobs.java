package io.cloudkon.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Measures how many HPC jobs per second are possible with only the calls that every job requires:
 * one acquire, one DONE, and its share of batches of ten. {@code RawJobs QUEUE JOBS CALLERS…}
 * prints the best result of these numbers of callers, after a warm-up. Each makes the calls of at
 * least four full batches for each caller.
 */
public final class RawJobs {
  private static final int REQUEST_BYTES = 250;
  private static final int RESULT_BYTES = 400;

  /** The minimum number of batches of each caller: with fewer, some of them would be idle. */
  private static final int ROUNDS = 4;

  private RawJobs() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int jobs = Integer.parseInt(args[1]);
    int[] callers = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
    double best = 0;
    try (RawCalls calls = new RawCalls(args[0])) {
      double unused = calls.run(load(jobs, callers[0]));
      for (int number : callers) {
        RawLoad load = load(jobs, number);
        best = Math.max(best, load.bundles() / calls.run(load));
      }
    }
    System.out.printf(Locale.ROOT, "%.1f%n", best);
  }

  /** The bare calls of this number of jobs, or of more, so that every caller has enough. */
  static RawLoad load(int jobs, int callers) {
    int bundles = Math.max(jobs, ROUNDS * RawLoad.BATCH * callers);
    return new RawLoad(bundles, REQUEST_BYTES, RESULT_BYTES, callers, 2);
  }
}
