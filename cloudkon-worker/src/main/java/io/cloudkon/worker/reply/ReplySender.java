package io.cloudkon.worker.reply;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.batch.NaturalBatcher;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends results to the clients' response queues, several bundles' to a call, and tells each
 * bundle's machine what was accepted. Only what the queue has accepted may be recorded, so a
 * failure is told as a failure, after a back-off.
 */
public final class ReplySender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplySender.class);
  private static final int LANES = 2;
  private static final int BATCH_BYTES = Limits.MESSAGE_BYTES - 64 * 1024;
  private static final int HEADER_BYTES = 1024;

  private final ResponseQueue queues;
  private final ReplyRoutes routes;
  private final ResultBatch.WorkerId worker;
  private final Function<String, List<ResultBatch.Calls>> callsOfRun;
  private final TimeSource time;
  private final Inbox inbox;
  private final Later later;
  private final BackOff backOff;
  private final Consumer<BundleHeader> queueGone;
  private final Pulse pulse;
  private final NaturalBatcher<Piece> pieces;

  /**
   * Starts its lanes.
   *
   * @param callsOfRun the worker's API calls since its first bundle of the run; empty where they
   *     need not be told again
   * @param queueGone is told of a bundle whose response queue does not exist
   * @param pulse says whether a bundle's results may still be sent
   */
  public ReplySender(
      ResponseQueue queues,
      ReplyRoutes routes,
      ResultBatch.WorkerId worker,
      Function<String, List<ResultBatch.Calls>> callsOfRun,
      TimeSource time,
      Inbox inbox,
      Later later,
      BackOff backOff,
      Consumer<BundleHeader> queueGone,
      Pulse pulse) {
    this.queues = queues;
    this.routes = routes;
    this.worker = worker;
    this.callsOfRun = callsOfRun;
    this.time = time;
    this.inbox = inbox;
    this.later = later;
    this.backOff = backOff;
    this.queueGone = queueGone;
    this.pulse = pulse;
    this.pieces =
        new NaturalBatcher<>(
            "cloudkon-reply",
            LANES,
            Limits.BATCH,
            BATCH_BYTES,
            Integer.MAX_VALUE,
            Piece::bytes,
            this::call);
  }

  /**
   * Sends the results of these tasks, in as many messages as their size asks for; returns at once.
   */
  public void send(BundleInHand inHand, Positions tasks, List<TaskResult> results) {
    int[] positions = tasks.stream().toArray();
    int from = 0;
    int bytes = HEADER_BYTES;
    for (int i = 0; i < positions.length; i++) {
      int more = ResultCodec.sizeOf(results.get(i));
      if (i > from && bytes + more > Limits.FULL_BUNDLE_BYTES) {
        add(inHand, positions, results, from, i, bytes);
        from = i;
        bytes = HEADER_BYTES;
      }
      bytes += more;
    }
    add(inHand, positions, results, from, positions.length, bytes);
  }

  private void add(
      BundleInHand inHand, int[] positions, List<TaskResult> results, int from, int to, int bytes) {
    BitSet tasks = new BitSet();
    for (int i = from; i < to; i++) {
      tasks.set(positions[i]);
    }
    try {
      pieces.add(new Piece(inHand, Positions.of(tasks), results.subList(from, to), bytes));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // Closed: the worker has ended. What was not sent is not recorded, and runs elsewhere.
      return;
    }
  }

  private void call(List<Piece> batch) {
    Map<String, List<Piece>> byQueue = new LinkedHashMap<>();
    for (Piece piece : batch) {
      // What waited here while its bundle was lost is not to be sent, and nobody waits for it.
      if (pulse.allows(piece.inHand())) {
        byQueue
            .computeIfAbsent(routes.queue(piece.inHand().header()), q -> new ArrayList<>())
            .add(piece);
      }
    }
    byQueue.forEach(this::send);
  }

  private void send(String queue, List<Piece> batch) {
    Map<Integer, String> failures = new HashMap<>();
    boolean gone = false;
    try {
      List<OutgoingMessage> messages = batch.stream().map(this::message).toList();
      for (BatchFailure failure : queues.send(queue, messages)) {
        failures.put(failure.index(), failure.reason());
      }
    } catch (MissingResourceException e) {
      failAll(batch, e, failures);
      gone = true;
    } catch (RuntimeException | Error e) {
      // Whatever it was: results that nobody answers for would hold their bundle for ever.
      failAll(batch, e, failures);
    }
    for (int i = 0; i < batch.size(); i++) {
      Piece piece = batch.get(i);
      long key = piece.inHand().key();
      if (!failures.containsKey(i)) {
        piece.inHand().forget(piece.tasks());
        inbox.post(key, new BundleEvent.ResultsAccepted(piece.tasks()));
      } else {
        LOG.debug(
            "results of bundle {} not sent: {}", piece.inHand().header().bundle(), failures.get(i));
        later.after(
            backOff.millis(piece.inHand().replyFailed()),
            () -> inbox.post(key, new BundleEvent.ResultsFailed(piece.tasks())));
      }
    }
    if (gone) {
      queueGone.accept(batch.getFirst().inHand().header());
    }
  }

  private static void failAll(List<Piece> batch, Throwable e, Map<Integer, String> failures) {
    for (int i = 0; i < batch.size(); i++) {
      failures.put(i, e.toString());
    }
  }

  private OutgoingMessage message(Piece piece) {
    BundleInHand inHand = piece.inHand();
    BundleHeader header = inHand.header();
    ResultBatch results =
        new ResultBatch(
            header.run(),
            header.epoch(),
            header.bundle(),
            worker,
            inHand.attempt(),
            inHand.nonce(),
            inHand.stamps(time.wallMicros()),
            piece.results(),
            callsOfRun.apply(header.run()),
            "");
    return new OutgoingMessage(Map.of(), ResultCodec.encode(results));
  }

  /** Lets what waits be sent, and ends. */
  @Override
  public void close() throws InterruptedException {
    pieces.close();
  }
}
