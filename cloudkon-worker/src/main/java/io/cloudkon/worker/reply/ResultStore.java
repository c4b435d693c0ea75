package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.List;

/**
 * Puts results into the blob store, on threads of its own, so that nobody's small results wait
 * behind somebody's large ones. What is under way is broken off when its bundle is abandoned: the
 * run may be over, and its blobs removed. Thread safe.
 */
public final class ResultStore implements AutoCloseable {
  private static final int LANES = 2;

  private final BlobStore blobs;
  private final ReplyMessages messages;
  private final Pulse pulse;
  private final NaturalBatcher<Upload> uploads;

  private record Upload(Piece piece, Outcome outcome) {}

  /** What is told of an upload, in its thread. */
  interface Outcome {
    void stored(Piece under);

    void failed(Throwable why);
  }

  /**
   * Starts its lanes.
   *
   * @param pulse says whether a bundle's results may still leave
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
      // Closed: the worker has ended. What was not sent is not recorded, and runs elsewhere.
      return;
    }
  }

  private void upload(List<Upload> one) {
    Piece piece = one.getFirst().piece();
    Outcome outcome = one.getFirst().outcome();
    // What waited here while its bundle was lost is not to be stored, and nobody waits for it.
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
        // Whatever it was: results that nobody answers for would hold their bundle for ever.
        outcome.failed(e);
      }
      return;
    }
    outcome.stored(piece.storedUnder(key));
  }

  /** Lets what waits be stored, and ends. */
  @Override
  public void close() throws InterruptedException {
    uploads.close();
  }
}
