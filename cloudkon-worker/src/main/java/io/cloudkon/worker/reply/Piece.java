package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The part of a bundle's results that one message carries.
 *
 * @param tasks the tasks' positions in the bundle
 * @param bytes the approximate size of the message in bytes
 * @param stored the blob key of the results; empty if the message itself holds them
 */
record Piece(
    BundleInHand inHand, Positions tasks, List<TaskResult> results, int bytes, String stored) {
  /** The size of a message without its results. */
  static final int HEADER_BYTES = 1024;

  private static final String REFUSED = "the task ran, but its result cannot be delivered: ";

  /** The results of these tasks, in as many pieces as their size requires. */
  static List<Piece> of(BundleInHand inHand, Positions tasks, List<TaskResult> results) {
    int[] positions = tasks.stream().toArray();
    List<Piece> pieces = new ArrayList<>(1);
    int from = 0;
    int bytes = HEADER_BYTES;
    for (int i = 0; i < positions.length; i++) {
      int more = ResultCodec.sizeOf(results.get(i));
      if (i > from && bytes + more > Limits.FULL_BUNDLE_BYTES) {
        pieces.add(of(inHand, positions, results, from, i, bytes));
        from = i;
        bytes = HEADER_BYTES;
      }
      bytes += more;
    }
    pieces.add(of(inHand, positions, results, from, positions.length, bytes));
    return pieces;
  }

  private static Piece of(
      BundleInHand inHand, int[] positions, List<TaskResult> results, int from, int to, int bytes) {
    BitSet tasks = new BitSet();
    for (int i = from; i < to; i++) {
      tasks.set(positions[i]);
    }
    return new Piece(inHand, Positions.of(tasks), results.subList(from, to), bytes, "");
  }

  /** The same piece, once its results are in the blob store. */
  Piece storedUnder(String key) {
    return new Piece(inHand, tasks, results, HEADER_BYTES + key.length(), key);
  }

  /**
   * The same piece in a message of at most that many bytes. Outputs are cut; their lengths show it.
   */
  Piece cut(int mostBytes) {
    int each = (mostBytes - HEADER_BYTES) / results.size();
    List<TaskResult> cut = results.stream().map(result -> OutputCut.to(each, result)).toList();
    int all = HEADER_BYTES + cut.stream().mapToInt(ResultCodec::sizeOf).sum();
    return new Piece(inHand, tasks, cut, all, "");
  }

  /** Pieces with one result each. */
  List<Piece> single() {
    int[] positions = tasks.stream().toArray();
    List<Piece> single = new ArrayList<>(positions.length);
    for (int i = 0; i < positions.length; i++) {
      int bytes = HEADER_BYTES + ResultCodec.sizeOf(results.get(i));
      single.add(of(inHand, positions, results, i, i + 1, bytes));
    }
    return single;
  }

  /**
   * The same piece with results that say only that the queue does not accept what the tasks have
   * brought.
   */
  Piece refused(String why) {
    List<TaskResult> bare =
        results.stream()
            .map(result ->
                TaskResult.notRun(
                    result.ordinal(),
                    result.id(),
                    TaskStatus.FAILED,
                    REFUSED + why,
                    result.finishedMicros()))
            .toList();
    int all = HEADER_BYTES + bare.stream().mapToInt(ResultCodec::sizeOf).sum();
    return new Piece(inHand, tasks, bare, all, "");
  }

  /** Whether these are such results. */
  boolean isRefused() {
    return results.stream().allMatch(result -> result.error().startsWith(REFUSED));
  }

  int firstOrdinal() {
    return results.getFirst().ordinal();
  }
}
