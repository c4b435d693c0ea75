package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.worker.pipeline.BundleInHand;
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

  int firstOrdinal() {
    return results.getFirst().ordinal();
  }
}
