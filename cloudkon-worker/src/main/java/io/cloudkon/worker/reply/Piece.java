package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;

/**
 * The part of a bundle's results that one message carries.
 *
 * @param tasks their positions in the bundle
 * @param bytes about how many bytes the message takes
 * @param stored where the results lie in the blob store; empty if the message holds them itself
 */
record Piece(
    BundleInHand inHand, Positions tasks, List<TaskResult> results, int bytes, String stored) {
  /** What a message takes besides its results. */
  static final int HEADER_BYTES = 1024;

  /** The same, once its results are in the blob store. */
  Piece storedUnder(String key) {
    return new Piece(inHand, tasks, results, HEADER_BYTES + key.length(), key);
  }

  /**
   * The same in a message of so many bytes at most: outputs are cut, and say so by their lengths.
   */
  Piece cut(int mostBytes) {
    int each = (mostBytes - HEADER_BYTES) / results.size();
    List<TaskResult> cut = results.stream().map(result -> OutputCut.to(each, result)).toList();
    int all = HEADER_BYTES + cut.stream().mapToInt(ResultCodec::sizeOf).sum();
    return new Piece(inHand, tasks, cut, all, "");
  }

  int firstOrdinal() {
    return results.getFirst().ordinal();
  }
}
