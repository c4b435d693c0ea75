package io.cloudkon.worker.service;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.reply.LostQueues;
import io.cloudkon.worker.reply.ReplyMessages;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles bundles or jobs that should not be begun: puts them back for a while, without a claim.
 * These are the bundles of runs whose results can go nowhere, which would run in vain. While many
 * bundles wait to send their results, they are also bundles whose response queue is gone, because
 * they would take the place of other runs' bundles. So that they do not use up the limit of
 * messages in flight, only as many are hidden as the {@link HidingBudget} allows; the others are
 * visible at once, and slow the worker's {@link ReceivePace} down. Thread safe.
 */
final class UndeliverableRuns {
  private static final Logger LOG = LoggerFactory.getLogger(UndeliverableRuns.class);
  private static final String SHA256_OF_NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  /** How long a bundle is put back while many wait. */
  private static final long CROWD_MILLIS = 10_000;

  private final LostQueues lost;
  private final ReplyRoutes routes;
  private final RunStates runs;
  private final ResponseQueue queues;
  private final ReplyMessages messages;
  private final BlobStore blobs;
  private final Acknowledger acknowledger;
  private final HidingBudget budget;
  private final ReceivePace pace;
  private final Executor io;

  UndeliverableRuns(
      LostQueues lost,
      ReplyRoutes routes,
      RunStates runs,
      ResponseQueue queues,
      ReplyMessages messages,
      BlobStore blobs,
      Acknowledger acknowledger,
      HidingBudget budget,
      ReceivePace pace,
      Executor io) {
    this.lost = lost;
    this.routes = routes;
    this.runs = runs;
    this.queues = queues;
    this.messages = messages;
    this.blobs = blobs;
    this.acknowledger = acknowledger;
    this.budget = budget;
    this.pace = pace;
    this.io = io;
  }

  /**
   * Takes over a bundle that should not be begun; returns at once. Before a bundle is hidden,
   * checks whether its results can still go nowhere; if not, it is visible at once, for the next
   * receiver. Where none is hidden, that is checked every few seconds.
   *
   * @param crowded whether there are many bundles in hand
   */
  boolean takes(BundleInHand arrived, boolean crowded) {
    BundleHeader header = arrived.header();
    if (known(header)) {
      pace.returned();
      io.execute(() -> {
        boolean hidden = budget.take();
        boolean tested = hidden || lost.isToBeTested(routes.queue(header));
        boolean remains = !tested || remains(arrived);
        acknowledger.putBackUnbegun(arrived, hidden && remains ? LostQueues.HIDDEN.toMillis() : 0);
      });
      return true;
    }
    if (crowded && lost.isGone(routes.queue(header))) {
      pace.returned();
      io.execute(() -> acknowledger.putBackUnbegun(arrived, budget.take() ? CROWD_MILLIS : 0));
      return true;
    }
    pace.begun();
    return false;
  }

  private boolean known(BundleHeader header) {
    return lost.isDeadEnd(routes.queue(header));
  }

  private boolean remains(BundleInHand arrived) {
    BundleHeader header = arrived.header();
    String queue = routes.queue(header);
    boolean open = runs.open(header.run());
    if (open && !known(header)) {
      // The client has moved to another queue.
      return false;
    }
    boolean remains = open && !takesResults(queue, arrived) && !succeeds(() -> store(header.run()));
    if (!remains) {
      lost.found(queue);
      lost.found(header.responseQueue());
    }
    return remains;
  }

  private boolean takesResults(String queue, BundleInHand arrived) {
    return switch (lost.why(queue)) {
      case GONE, REFUSED, FAULTY -> succeeds(() -> send(queue, arrived));
      case SILENT -> false;
      case null -> true;
    };
  }

  /** Sends a message without results, which tells the client nothing. */
  private void send(String queue, BundleInHand arrived) {
    for (BatchFailure failure : queues.send(queue, List.of(messages.empty(arrived)))) {
      throw new CloudKonException(failure.reason());
    }
  }

  /** Stores an empty blob under its hash; the client removes it with the run's other blobs. */
  private void store(String run) {
    blobs.put(BlobKeys.in(run, SHA256_OF_NOTHING), new byte[0]);
  }

  private static boolean succeeds(Runnable attempt) {
    try {
      attempt.run();
      return true;
    } catch (RuntimeException | Error e) {
      // Catches everything: results would fail as well.
      LOG.debug("still a dead end: {}", e.toString());
      return false;
    }
  }
}
