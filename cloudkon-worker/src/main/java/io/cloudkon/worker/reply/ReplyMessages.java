package io.cloudkon.worker.reply;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.codec.ResultStream;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Encodes results for sending or storing. Thread safe. */
public final class ReplyMessages {
  private final ResultBatch.WorkerId worker;
  private final Function<String, List<ResultBatch.Calls>> callsOfRun;
  private final TimeSource time;

  /**
   * Encodes results of one worker.
   *
   * @param callsOfRun the worker's API calls since its first bundle of the run; empty if they need
   *     not be sent again
   */
  public ReplyMessages(
      ResultBatch.WorkerId worker,
      Function<String, List<ResultBatch.Calls>> callsOfRun,
      TimeSource time) {
    this.worker = worker;
    this.callsOfRun = callsOfRun;
    this.time = time;
  }

  OutgoingMessage message(Piece piece) {
    ResultBatch whole = batch(piece);
    ResultBatch sent = piece.stored().isEmpty() ? whole : whole.storedUnder(piece.stored());
    return new OutgoingMessage(Map.of(), ResultCodec.encode(sent));
  }

  /** A message of this bundle without results, which tests whether its queue accepts messages. */
  public OutgoingMessage empty(BundleInHand inHand) {
    return message(new Piece(inHand, Positions.none(), List.of(), Piece.HEADER_BYTES, ""));
  }

  /** Stores a piece with its results: from memory, or through a file if results are on disk. */
  void store(Piece piece, String key, BlobStore blobs) {
    Spooled spooled =
        piece.results().stream()
            .map(result -> result.spools().any())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    if (spooled == null) {
      blobs.put(key, ResultCodec.encode(batch(piece)));
      return;
    }
    Path file = file(piece, spooled.folder());
    try {
      blobs.put(key, file);
    } finally {
      boolean unused = file.toFile().delete();
    }
  }

  private Path file(Piece piece, Path folder) {
    try {
      Path file = Files.createTempFile(folder, "reply-", "");
      boolean whole = false;
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
        ResultStream.write(batch(piece), out);
        whole = true;
      } finally {
        if (!whole) {
          boolean unused = file.toFile().delete();
        }
      }
      return file;
    } catch (IOException e) {
      throw new CloudKonException("they do not fit on the worker's disk: " + e, e);
    }
  }

  /**
   * The blob key for a piece. A failed upload may have stored its content all the same, and the
   * next upload encodes the results anew. So it gets another key, because the content of a key
   * never changes.
   */
  static String key(Piece piece) {
    BundleHeader header = piece.inHand().header();
    String key =
        BlobKeys.out(header.run(), header.bundle(), piece.inHand().nonce(), piece.firstOrdinal());
    int failures = piece.inHand().replyFailures();
    return failures == 0 ? key : key + '-' + failures;
  }

  private ResultBatch batch(Piece piece) {
    BundleInHand inHand = piece.inHand();
    BundleHeader header = inHand.header();
    // Results that are sent together are guarded by one claim.
    int first = piece.tasks().stream().findFirst().orElse(0);
    return new ResultBatch(
        header.run(),
        header.epoch(),
        header.bundle(),
        worker,
        inHand.attempt(first),
        inHand.nonce(),
        inHand.stamps(first, time.wallMicros()),
        piece.results(),
        callsOfRun.apply(header.run()),
        "");
  }
}
