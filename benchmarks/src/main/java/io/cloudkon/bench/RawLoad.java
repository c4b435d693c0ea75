package io.cloudkon.bench;

import io.cloudkon.core.model.Limits;
import java.util.List;

/**
 * An amount of bare SDK calls.
 *
 * @param bundles the number of bundles whose calls are made; at least 1
 * @param requestBytes the size of a request's payload
 * @param resultBytes the size of a result's payload
 * @param callers the number of concurrent callers
 * @param writes the number of writes for each bundle: none, the acquisition, or DONE as well
 */
record RawLoad(int bundles, int requestBytes, int resultBytes, int callers, int writes) {
  /** The maximum number of bundles that a caller takes at a time. */
  static final int BATCH = Limits.BATCH;

  /** The minimum number of batches of each caller: with fewer, some of them would be idle. */
  private static final int ROUNDS = 4;

  /** The maximum size of a batch; the rest is for names of attributes. */
  private static final int BATCH_BYTES = Limits.MESSAGE_BYTES - 1024;

  /**
   * The number of bundles that a caller takes at a time: as many as SQS accepts in a call, or fewer
   * so that all callers work to the end. With full batches only, a few bundles would occupy a few
   * callers, and the last round would be half empty.
   */
  int batch() {
    int rounds = Math.ceilDiv(bundles, callers * fit());
    return Math.ceilDiv(bundles, callers * rounds);
  }

  /** The maximum number of bundles of this size in a batch. */
  private int fit() {
    return Math.clamp(BATCH_BYTES / Math.max(1, Math.max(requestBytes, resultBytes)), 1, BATCH);
  }

  /** The same load with at least four full batches for each caller. */
  RawLoad several() {
    int least = ROUNDS * fit() * callers;
    return new RawLoad(Math.max(least, bundles), requestBytes, resultBytes, callers, writes);
  }

  /** The same load with at most this number of bundles. */
  RawLoad atMost(int most) {
    return new RawLoad(Math.min(most, bundles), requestBytes, resultBytes, callers, writes);
  }

  /** The words by which another process is told. */
  List<String> words() {
    return List.of(
        Integer.toString(bundles),
        Integer.toString(requestBytes),
        Integer.toString(resultBytes),
        Integer.toString(callers),
        Integer.toString(writes));
  }

  /** The load of these words. */
  static RawLoad of(List<String> words) {
    int[] numbers = words.stream().mapToInt(Integer::parseInt).toArray();
    return new RawLoad(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }
}
