package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BatchOutcome;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.LostQueues.Why;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends results to the clients' response queues, with results of several bundles in one call, and
 * tells each bundle's state machine what was accepted. Only results that the queue has accepted may
 * be recorded, so a failure is reported as such, after a back-off. Results that are too large for a
 * message are stored first. If a queue is gone for good, or does not answer for long, its results
 * are stored instead; if that fails too, their bundle is told.
 */
public final class ReplySender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplySender.class);
  private static final int LANES = 2;
  private static final ThreadFactory CALLS =
      Thread.ofVirtual().name("cloudkon-reply-call-", 0).factory();
  private static final int BATCH_BYTES = Limits.MESSAGE_BYTES - 64 * 1024;

  private final ResponseQueue queues;
  private final ReplyRoutes routes;
  private final ReplyMessages messages;
  private final ResultStore store;
  private final LastResort lastResort;
  private final LostQueues lost;
  private final Inbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final Pulse pulse;
  private final WorkerStats stats;
  private final NaturalBatcher<Piece> pieces;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Starts its lanes.
   *
   * @param store stores results that are too large for a message; closed with this
   * @param lost decides when to give up a queue that does not exist
   * @param pulse decides whether a bundle's results may still be sent
   * @param stats receives the results that were accepted
   * @param gatherMillis how long results may wait for others now, in milliseconds
   */
  public ReplySender(
      ResponseQueue queues,
      ReplyRoutes routes,
      ReplyMessages messages,
      ResultStore store,
      LostQueues lost,
      Inbox inbox,
      Later later,
      BackOff backOff,
      Pulse pulse,
      WorkerStats stats,
      LongSupplier gatherMillis) {
    this.queues = queues;
    this.routes = routes;
    this.messages = messages;
    this.store = store;
    this.lost = lost;
    this.lastResort = new LastResort(store, lost, routes, new Told());
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.pulse = pulse;
    this.stats = stats;
    this.pieces =
        new NaturalBatcher<>(
            "cloudkon-reply",
            LANES,
            Limits.BATCH,
            BATCH_BYTES,
            Integer.MAX_VALUE,
            Piece::bytes,
            this::call,
            gatherMillis);
  }

  /**
   * Sends the results of these tasks, in as many messages as their size requires; returns at once.
   */
  public void send(BundleInHand inHand, Positions tasks, List<TaskResult> results) {
    Piece.of(inHand, tasks, results).forEach(this::hand);
  }

  /**
   * Sends a piece. One that is too large for a message has a single result, which is stored first,
   * unless it was stored before.
   */
  private void hand(Piece piece) {
    if (piece.bytes() <= BATCH_BYTES) {
      add(piece);
      return;
    }
    String known = piece.inHand().storedKey(piece.firstOrdinal());
    if (known != null) {
      add(piece.storedUnder(known));
      return;
    }
    store.store(
        piece,
        new ResultStore.Outcome() {
          @Override
          public void stored(Piece under) {
            piece.inHand().stored(piece.firstOrdinal(), under.stored());
            add(under);
          }

          @Override
          public void failed(Throwable why) {
            notStored(piece, why);
          }
        });
  }

  /**
   * Handles a result that could not be stored: cuts it to fit in a message if the store refuses it.
   */
  private void notStored(Piece piece, Throwable why) {
    if (TransientServiceException.isLasting(why)) {
      if (!warned.getAndSet(true)) {
        LOG.warn(
            "results that are too large for a message are cut because they cannot be stored: {}",
            why.getMessage());
      }
      add(piece.cut(BATCH_BYTES));
    } else {
      failed(piece, why.toString());
    }
  }

  private void add(Piece piece) {
    try {
      pieces.add(piece);
    } catch (InterruptedException e) {
      // Only if it waited for room, of which there is always enough.
      Thread.currentThread().interrupt();
      failed(piece, "interrupted");
    } catch (IllegalStateException e) {
      // Closed: the worker has ended. Unsent results are not recorded, and their tasks run
      // elsewhere.
      return;
    }
  }

  private void call(List<Piece> batch) {
    Map<String, List<Piece>> byQueue = new LinkedHashMap<>();
    for (Piece piece : batch) {
      // Drops results whose bundle was lost while they waited; nothing waits for them.
      if (pulse.allows(piece.inHand())) {
        byQueue
            .computeIfAbsent(routes.queue(piece.inHand().header()), q -> new ArrayList<>())
            .add(piece);
      }
    }
    if (byQueue.size() <= 1) {
      byQueue.forEach(this::send);
      return;
    }
    // at the same time, because a lane that serves many runs would send theirs one by one
    try (ExecutorService calls = Executors.newThreadPerTaskExecutor(CALLS)) {
      byQueue.forEach((queue, its) -> calls.execute(() -> send(queue, its)));
    }
  }

  private void send(String queue, List<Piece> batch) {
    BatchOutcome<Piece> outcome;
    try {
      List<OutgoingMessage> all = batch.stream().map(messages::message).toList();
      outcome = BatchOutcome.of(batch, queues.send(queue, all));
      lost.found(queue);
    } catch (MissingResourceException e) {
      lastResort.notTaken(queue, Why.GONE, batch, e);
      return;
    } catch (RefusedException e) {
      lastResort.notTaken(queue, Why.REFUSED, batch, e);
      return;
    } catch (TransientServiceException e) {
      lastResort.notAnswered(queue, batch, e);
      return;
    } catch (CloudKonException e) {
      // such as a disabled key of the queue
      lastResort.notTaken(queue, Why.FAULTY, batch, e);
      return;
    } catch (RuntimeException | Error e) {
      // Catches everything: results without an answer would hold their bundle for ever.
      outcome = BatchOutcome.allFailed(batch, e);
    }
    outcome.tell(this::accepted, (piece, why) -> failed(queue, piece, why));
  }

  private void failed(String queue, Piece piece, BatchFailure why) {
    if (why.retryable()) {
      failed(piece, why.reason());
      return;
    }
    LOG.warn(
        "queue '{}' does not accept results of bundle {}: {}; they are stored instead",
        queue,
        piece.inHand().header().bundle(),
        why.reason());
    lastResort.notTakenAlone(queue, piece, why.reason());
  }

  private void accepted(Piece piece) {
    stats.accepted(piece.results());
    piece.inHand().forget(piece.tasks());
    inbox.post(piece.inHand().key(), new BundleEvent.ResultsAccepted(piece.tasks()));
  }

  private void failed(Piece piece, String why) {
    LOG.debug("results of bundle {} not sent: {}", piece.inHand().header().bundle(), why);
    tellLater(piece, new BundleEvent.ResultsFailed(piece.tasks()));
  }

  private void tellLater(Piece piece, BundleEvent event) {
    BundleInHand inHand = piece.inHand();
    later.after(backOff.millis(inHand.replyFailed()), () -> inbox.post(inHand.key(), event));
  }

  /** Asks again how long results may wait for others. */
  public void gatherAnew() {
    pieces.gatherAnew();
  }

  /** Handles the outcomes of results that were to be stored. */
  private final class Told implements LastResort.Answer {
    @Override
    public void accepted(Piece piece) {
      ReplySender.this.accepted(piece);
    }

    @Override
    public void failed(Piece piece, String why) {
      ReplySender.this.failed(piece, why);
    }

    @Override
    public void undeliverable(Piece piece) {
      tellLater(piece, new BundleEvent.Undeliverable(piece.tasks(), LostQueues.HIDDEN.toMillis()));
    }

    @Override
    public void instead(Piece piece) {
      add(piece);
    }
  }

  /** Stores and sends the waiting results, and ends. */
  @Override
  public void close() throws InterruptedException {
    store.close();
    pieces.close();
  }
}
