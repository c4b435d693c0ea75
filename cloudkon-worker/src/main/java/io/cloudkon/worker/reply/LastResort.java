package io.cloudkon.worker.reply;

import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.worker.reply.LostQueues.Why;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores results that their response queue does not accept, so that the client finds them in the
 * blob store. If that fails too, they can go nowhere. Thread safe.
 */
final class LastResort {
  private static final Logger LOG = LoggerFactory.getLogger(LastResort.class);

  private final ResultStore store;
  private final LostQueues lost;
  private final Answer answer;

  /** Receives the outcome of a piece, in any thread. */
  interface Answer {
    void accepted(Piece piece);

    void failed(Piece piece, String why);

    void undeliverable(Piece piece);
  }

  LastResort(ResultStore store, LostQueues lost, Answer answer) {
    this.store = store;
    this.lost = lost;
    this.answer = answer;
  }

  /** Stores the results of a piece; returns at once. */
  void keep(String queue, Why reason, Piece piece) {
    if (!piece.stored().isEmpty()) {
      answer.accepted(piece);
      return;
    }
    store.store(
        piece,
        new ResultStore.Outcome() {
          @Override
          public void stored(Piece under) {
            answer.accepted(under);
          }

          @Override
          public void failed(Throwable why) {
            // A queue that does not answer may come back.
            if (reason != Why.SILENT && TransientServiceException.isLasting(why)) {
              nowhere(queue, reason, piece, why);
            } else {
              answer.failed(piece, why.toString());
            }
          }
        });
  }

  private void nowhere(String queue, Why reason, Piece piece, Throwable why) {
    if (lost.deadEnd(queue, reason)) {
      LOG.warn(
          "results of run {} cannot be delivered: its response queue '{}' {}, and {}; its bundles"
              + " are put back for {} minutes at a time",
          piece.inHand().header().run(),
          queue,
          reason.words,
          why.getMessage(),
          LostQueues.HIDDEN.toMinutes());
    }
    answer.undeliverable(piece);
  }
}
