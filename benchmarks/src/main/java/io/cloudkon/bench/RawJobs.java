package io.cloudkon.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Measures how many HPC jobs per second are possible with only the calls that every job requires:
 * one acquire, one DONE, and its share of batches of ten. {@code RawJobs QUEUE JOBS CALLERS…}
 * prints the best result of these numbers of callers, after a warm-up.
 */
public final class RawJobs {
  private static final int REQUEST_BYTES = 250;
  private static final int RESULT_BYTES = 400;

  private RawJobs() {}

  public static void main(String[] args) throws InterruptedException, ExecutionException {
    int jobs = Integer.parseInt(args[1]);
    int[] callers = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
    byte[] request = new byte[REQUEST_BYTES];
    byte[] result = new byte[RESULT_BYTES];
    double best = 0;
    try (RawCalls calls = new RawCalls(args[0])) {
      calls.run(jobs, callers[0], request, result);
      for (int number : callers) {
        best = Math.max(best, jobs / calls.run(jobs, number, request, result));
      }
    }
    System.out.printf(Locale.ROOT, "%.1f%n", best);
  }
}
