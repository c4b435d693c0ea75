package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.List;

/**
 * Puts results into the blob store, on its own threads, so that small results do not wait behind
 * large ones of other bundles. Interrupts an upload when its bundle is abandoned, because the run
 * may be over and its blobs removed. Thread safe.
 */
public final class ResultStore implements AutoCloseable {
  private static final int LANES = 2;

  private final BlobStore blobs;
  private final ReplyMessages messages;
  private final Pulse pulse;
  private final NaturalBatcher<Upload> uploads;

  private record Upload(Piece piece, Outcome outcome) {}

  /** Receives the outcome of an upload, in the upload's thread. */
  interface Outcome {
    void stored(Piece under);

    void failed(Throwable why);
  }

  /**
   * Starts its lanes.
   *
   * @param pulse decides whether a bundle's results may still leave
   */
  public ResultStore(BlobStore blobs, ReplyMessages messages, Pulse pulse) {
    this.blobs = blobs;
    this.messages = messages;
    this.pulse = pulse;
    this.uploads =
        new NaturalBatcher<>(
            "cloudkon-store", LANES, 1, 1, Integer.MAX_VALUE, upload -> 1, this::upload);
  }

  /** Stores the results of a piece; returns at once. */
  void store(Piece piece, Outcome outcome) {
    try {
      uploads.add(new Upload(piece, outcome));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the worker has ended. Unsent results are not recorded, and their tasks run
      // elsewhere.
      return;
    }
  }

  private void upload(List<Upload> one) {
    Piece piece = one.getFirst().piece();
    Outcome outcome = one.getFirst().outcome();
    // Drops results whose bundle was lost while they waited; nothing waits for them.
    if (!pulse.allows(piece.inHand())) {
      return;
    }
    String key = ReplyMessages.key(piece);
    Abort abort = new Abort();
    try (var _ = abort;
        var _ = piece.inHand().onAbandon(abort)) {
      messages.store(piece, key, blobs);
    } catch (RuntimeException | Error e) {
      if (!piece.inHand().abandoned()) {
        // Catches everything: results without an answer would hold their bundle for ever.
        outcome.failed(e);
      }
      return;
    }
    outcome.stored(piece.storedUnder(key));
  }

  /** Stores the waiting results, and ends. */
  @Override
  public void close() throws InterruptedException {
    uploads.close();
  }
}
