package io.cloudkon.worker.reply;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.worker.reply.LostQueues.Why;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
  private final ReplyRoutes routes;
  private final Answer answer;

  /** Receives the outcome of a piece, in any thread. */
  interface Answer {
    void accepted(Piece piece);

    void failed(Piece piece, String why);

    void undeliverable(Piece piece);

    /** Sends another piece, in place of one that the queue refused or as a part of it. */
    void instead(Piece piece);
  }

  LastResort(ResultStore store, LostQueues lost, ReplyRoutes routes, Answer answer) {
    this.store = store;
    this.lost = lost;
    this.routes = routes;
    this.answer = answer;
  }

  /**
   * Stores results if the queue has not answered for long. Their client finds them by their claim;
   * those of bundles without one wait for the queue.
   */
  void notAnswered(String queue, List<Piece> batch, TransientServiceException cause) {
    boolean silent = lost.silent(queue);
    keepOrFail(
        queue,
        Why.SILENT,
        batch,
        piece -> silent && piece.inHand().header().consistency().claims(),
        cause);
  }

  /** Stores results if the queue has accepted none for long although their run is open. */
  void notTaken(String queue, Why why, List<Piece> batch, CloudKonException cause) {
    lost.answered(queue);
    BundleHeader header = batch.getFirst().inHand().header();
    boolean hopeless = lost.hopeless(queue, why, header) && routes.queue(header).equals(queue);
    keepOrFail(queue, why, batch, piece -> hopeless, cause);
  }

  private void keepOrFail(
      String queue, Why why, List<Piece> batch, Predicate<Piece> kept, CloudKonException cause) {
    for (Piece piece : batch) {
      if (kept.test(piece)) {
        keep(queue, why, piece);
      } else {
        answer.failed(piece, cause.toString());
      }
    }
  }

  private void keep(String queue, Why reason, Piece piece) {
    keep(
        piece,
        why -> {
          // A queue that does not answer may come back.
          if (reason != Why.SILENT && TransientServiceException.isLasting(why)) {
            nowhere(queue, reason, piece, why);
          } else {
            answer.failed(piece, why.toString());
          }
        });
  }

  /**
   * Stores a piece that its queue never accepts because of what it holds; returns at once. If that
   * fails for good too, its results are sent one by one, and one that is refused even then is
   * replaced by a small one that says so. Otherwise its task would run for ever, again and again.
   *
   * @param reason the queue's reason
   */
  void notTakenAlone(String queue, Piece piece, String reason) {
    keep(
        piece,
        why -> {
          if (!TransientServiceException.isLasting(why)) {
            answer.failed(piece, why.toString());
          } else if (piece.isRefused()) {
            undeliverable(queue, piece, why);
          } else if (piece.results().size() > 1) {
            piece.single().forEach(answer::instead);
          } else {
            answer.instead(
                piece.refused(
                    "the response queue does not accept it (%s), and %s"
                        .formatted(reason, why.getMessage())));
          }
        });
  }

  private void undeliverable(String queue, Piece piece, Throwable why) {
    LOG.warn(
        "results of bundle {} cannot be delivered: queue '{}' does not accept them, and {};"
            + " their tasks run again after {} minutes",
        piece.inHand().header().bundle(),
        queue,
        why.getMessage(),
        LostQueues.HIDDEN.toMinutes());
    answer.undeliverable(piece);
  }

  private void keep(Piece piece, Consumer<Throwable> notStored) {
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
            notStored.accept(why);
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
