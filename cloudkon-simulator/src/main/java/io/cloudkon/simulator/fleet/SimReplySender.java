package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.FailingQueues;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.Sent;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a worker's results to the current response queue. Uses the bucket for results that are too
 * large for a message, or if there has been no queue for too long.
 */
final class SimReplySender {
  /** How long a bundle with undeliverable results is hidden, in milliseconds. */
  private static final long HIDDEN = 600_000;

  private static final int LANES = 2;
  private static final int BATCH_BYTES = Limits.MESSAGE_BYTES - 64 * 1024;

  private final World world;
  private final SimProcess process;
  private final SimRunWatch runs;
  private final BackOff backOff;
  private final BiConsumer<SimBundle, BundleEvent> events;
  private final Batcher<Piece> pieces;
  private final FailingQueues refusing;

  private final FailingQueues silent = new FailingQueues(FailingQueues.SILENCE_MILLIS);
  private boolean nowhere;

  private record Piece(SimBundle hand, Positions tasks, ResultMessage results) {}

  SimReplySender(
      World world,
      SimProcess process,
      SimRunWatch runs,
      BackOff backOff,
      long timeoutMillis,
      BiConsumer<SimBundle, BundleEvent> events) {
    this.world = world;
    this.process = process;
    this.runs = runs;
    this.backOff = backOff;
    this.refusing = new FailingQueues(timeoutMillis);
    this.events = events;
    this.pieces =
        new Batcher<>(LANES, Limits.BATCH, BATCH_BYTES, p -> p.results().bytes(), this::call);
  }

  /** Sets whether results are undeliverable from now on. */
  void goNowhere(boolean from) {
    nowhere = from;
  }

  void send(SimBundle hand, Positions tasks, ResultMessage results) {
    Piece piece = new Piece(hand, tasks, results);
    if (nowhere) {
      later(piece, new BundleEvent.Undeliverable(tasks, HIDDEN));
    } else if (results.bytes() <= BATCH_BYTES) {
      pieces.add(piece);
    } else if (hand.stored.get(results.ordinals()[0])) {
      pieces.add(storedUnder(piece));
    } else {
      store(
          piece,
          false,
          () -> {
            hand.stored.set(results.ordinals()[0]);
            pieces.add(storedUnder(piece));
          },
          // If the bucket does not take it, the result is cut to the size of a message.
          () -> pieces.add(new Piece(hand, tasks, results.cut(BATCH_BYTES))));
    }
  }

  private static Piece storedUnder(Piece piece) {
    return new Piece(piece.hand(), piece.tasks(), piece.results().storedUnder(key(piece)));
  }

  private static String key(Piece piece) {
    SimBundle hand = piece.hand();
    return BlobKeys.out(
        hand.request.run().id(), hand.request.id(), hand.nonce, piece.results().ordinals()[0]);
  }

  /**
   * Puts results into the bucket, unless their bundle has been lost meanwhile.
   *
   * @param last whether no message will refer to them
   * @param refused called if the put is denied
   */
  private void store(Piece piece, boolean last, Runnable stored, Runnable refused) {
    if (piece.hand().closed) {
      return;
    }
    world
        .cloud()
        .blobs()
        .put(
            process,
            key(piece),
            piece.results(),
            last,
            Reply.orRefused(
                answer -> {
                  if (answer == null) {
                    later(piece, new BundleEvent.ResultsFailed(piece.tasks()));
                  } else {
                    stored.run();
                  }
                },
                refused));
  }

  private void call(List<Piece> batch, Runnable answered) {
    Map<String, List<Piece>> byQueue = new LinkedHashMap<>();
    for (Piece piece : batch) {
      // Results whose bundle was lost while they waited here must not be sent. A worker that is
      // stopped just after this check still sends them; no claim can fence that.
      if (!piece.hand().closed) {
        byQueue
            .computeIfAbsent(runs.responseQueue(piece.hand()), queue -> new ArrayList<>())
            .add(piece);
      }
    }
    List<Map.Entry<String, List<Piece>>> rest = new ArrayList<>(byQueue.entrySet());
    sendNext(rest, answered);
  }

  /** Sends to one queue after the other, as a single lane does. */
  private void sendNext(List<Map.Entry<String, List<Piece>>> rest, Runnable answered) {
    if (rest.isEmpty()) {
      answered.run();
      return;
    }
    Map.Entry<String, List<Piece>> first = rest.removeFirst();
    SimQueue<ResultMessage> queue = world.cloud().responses(first.getKey());
    if (queue == null) {
      notTaken(first.getKey(), first.getValue());
      // Even the answer that the queue does not exist takes its time.
      process.in(1_000, () -> sendNext(rest, answered));
      return;
    }
    queue.send(
        process,
        first.getValue().stream().map(Piece::results).toList(),
        Reply.orRefused(
            sent -> {
              answered(first.getKey(), first.getValue(), sent);
              sendNext(rest, answered);
            },
            () -> {
              notTaken(first.getKey(), first.getValue());
              sendNext(rest, answered);
            }));
  }

  private void answered(String queue, List<Piece> batch, @Nullable Sent sent) {
    if (sent != null && sent.missing()) {
      notTaken(queue, batch);
      return;
    }
    if (sent == null) {
      notAnswered(queue, batch);
      return;
    }
    refusing.over(queue);
    silent.over(queue);
    for (int i = 0; i < batch.size(); i++) {
      Piece piece = batch.get(i);
      if (sent.refused().get(i)) {
        later(piece, new BundleEvent.ResultsFailed(piece.tasks()));
      } else {
        piece.hand().replyFailures = 0;
        events.accept(piece.hand(), new BundleEvent.ResultsAccepted(piece.tasks()));
      }
    }
  }

  /** Stores results, where a claim leads to them, if the queue has not answered for long. */
  private void notAnswered(String queue, List<Piece> batch) {
    boolean lasting = silent.failed(queue, process.now().mono());
    for (Piece piece : batch) {
      BundleEvent failed = new BundleEvent.ResultsFailed(piece.tasks());
      if (lasting && piece.hand().request.run().consistency().claims()) {
        lastResort(piece, failed);
      } else {
        later(piece, failed);
      }
    }
  }

  /**
   * Handles results that a queue did not take. Uses the bucket if the queue has been gone or
   * refused for long although the run is open.
   */
  private void notTaken(String queue, List<Piece> batch) {
    silent.over(queue);
    boolean lasting = refusing.failed(queue, process.now().mono());
    for (Piece piece : batch) {
      SimRun run = piece.hand().request.run();
      runs.read(
          run,
          () -> {
            boolean hopeless =
                runs.open(run) && lasting && runs.responseQueue(piece.hand()).equals(queue);
            if (hopeless) {
              lastResort(piece, new BundleEvent.Undeliverable(piece.tasks(), HIDDEN));
            } else {
              later(piece, new BundleEvent.ResultsFailed(piece.tasks()));
            }
          });
    }
  }

  private void lastResort(Piece piece, BundleEvent ifRefused) {
    Runnable accepted =
        () -> events.accept(piece.hand(), new BundleEvent.ResultsAccepted(piece.tasks()));
    if (piece.results().stored().isEmpty()) {
      store(piece, true, accepted, () -> later(piece, ifRefused));
    } else {
      world.witness().stored(piece.results(), world.timeline().now());
      accepted.run();
    }
  }

  private void later(Piece piece, BundleEvent event) {
    SimBundle hand = piece.hand();
    process.in(backOff.millis(++hand.replyFailures) * 1000, () -> events.accept(hand, event));
  }
}
