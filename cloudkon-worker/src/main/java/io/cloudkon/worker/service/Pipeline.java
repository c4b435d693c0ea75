package io.cloudkon.worker.service;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.claim.ClaimCaller;
import io.cloudkon.worker.lifetime.Polls;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.LostQueues;
import io.cloudkon.worker.reply.ReplyMessages;
import io.cloudkon.worker.reply.ReplySender;
import io.cloudkon.worker.reply.ResultStore;
import io.cloudkon.worker.source.QueueReader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The path of one queue's bundles through the worker: source, claims, replies, acknowledgement.
 * There is one pipeline for tasks and one for HPC jobs; each reports to its state machine. Thread
 * safe.
 */
final class Pipeline implements AutoCloseable {
  private final Map<Long, BundleInHand> inHand = new ConcurrentHashMap<>();
  private final Inbox inbox;
  private final Pulse pulse;
  private final Backpressure backpressure;
  private final CallMeter calls;
  private final RunWatch runs;
  private final ReceivePace pace = new ReceivePace();
  private final UndeliverableRuns undeliverableRuns;
  private final QueueReader source;
  private final ClaimCaller claims;
  private final EffectRunner effects;
  private final LastReceive last;

  /**
   * A pipeline for tasks that reports to {@code inbox}.
   *
   * @param gatherMillis how long outgoing results and deletions may wait for others now, in
   *     milliseconds
   */
  static Pipeline ofTasks(SharedParts parts, Inbox inbox, Polls polls, LongSupplier gatherMillis) {
    return new Pipeline(parts, parts.cluster().requests(), true, inbox, polls, gatherMillis);
  }

  /**
   * A pipeline for HPC jobs that reports to {@code inbox}.
   *
   * @param gatherMillis how long outgoing results and deletions may wait for others now, in
   *     milliseconds
   */
  static Pipeline ofJobs(SharedParts parts, Inbox inbox, Polls polls, LongSupplier gatherMillis) {
    return new Pipeline(parts, parts.cluster().hpc().jobs(), false, inbox, polls, gatherMillis);
  }

  private Pipeline(
      SharedParts parts,
      RequestQueue queue,
      boolean ofTasks,
      Inbox inbox,
      Polls polls,
      LongSupplier gatherMillis) {
    this.inbox = inbox;
    this.calls = parts.calls();
    Cluster cluster = parts.cluster();
    TimeSource time = parts.time();
    LeaseSettings lease = parts.config().settings().lease();
    int slots = parts.config().settings().slots();
    pulse = new Pulse(time, lease.margin());
    LongSupplier free = parts.config().runner().temporary().toFile()::getUsableSpace;
    backpressure =
        ofTasks
            ? Backpressure.ofBundles(slots, free, inHand.values())
            : Backpressure.ofJobs(slots, free, inHand.values());
    runs = new RunWatch(parts.states(), calls, inHand, inbox, parts.io());
    last = new LastReceive(inHand::isEmpty, queue.endsReceivesAtOnce());
    LostQueues lost = new LostQueues(time, parts.config().replyTimeout(), runs::stillOpen);
    Executor returning = last.around(parts.io());
    Acknowledger acknowledger =
        new Acknowledger(queue, parts.later(), parts.backOff(), gatherMillis);
    ReplyMessages messages = new ReplyMessages(parts.id(), calls::since, time);
    undeliverableRuns =
        new UndeliverableRuns(
            lost,
            parts.routes(),
            parts.states(),
            cluster.responses(),
            messages,
            cluster.blobs(),
            acknowledger,
            new HidingBudget(() -> queue.depth().inFlight(), time),
            pace,
            returning);
    source =
        new QueueReader(
            queue,
            time,
            Duration.ofMillis(lease.lease()),
            inbox,
            this::arrived,
            new UndecodableMessages(cluster, queue, parts.id(), time),
            polls);
    claims =
        new ClaimCaller(
            cluster.claims(),
            parts.config().settings().id(),
            time,
            inbox,
            parts.later(),
            parts.backOff(),
            parts.io());
    effects =
        new EffectRunner(
            queue,
            cluster.dead(),
            claims,
            replies(parts, messages, inbox, lost, gatherMillis),
            acknowledger,
            time,
            inbox,
            parts.later(),
            parts.backOff(),
            returning);
  }

  private ReplySender replies(
      SharedParts parts,
      ReplyMessages messages,
      Inbox to,
      LostQueues lost,
      LongSupplier gatherMillis) {
    Cluster cluster = parts.cluster();
    return new ReplySender(
        cluster.responses(),
        parts.routes(),
        messages,
        new ResultStore(cluster.blobs(), messages, pulse),
        lost,
        to,
        parts.later(),
        parts.backOff(),
        pulse,
        parts.stats(),
        gatherMillis);
  }

  /** Handles the arrival of a bundle or a job; false if it is not to be begun here. */
  private boolean arrived(BundleInHand bundle) {
    if (undeliverableRuns.takes(bundle, backpressure.large())) {
      return false;
    }
    calls.begin(bundle.header().run());
    inHand.put(bundle.key(), bundle);
    return true;
  }

  /** All bundles that arrived and were not removed, by key. */
  Map<Long, BundleInHand> inHand() {
    return inHand;
  }

  /** The pulse, which records that the state machine has checked every lease. */
  Pulse pulse() {
    return pulse;
  }

  /** The pace of receives. */
  ReceivePace pace() {
    return pace;
  }

  /**
   * Receives up to {@code max} bundles and reports the outcome to the inbox exactly once; blocks.
   * After {@link #stopReceiving} it receives nothing and reports that.
   */
  void receive(int max) {
    LastReceive.UnderWay now = last.begin();
    try {
      pace.await();
      now = last.begin();
      if (last.stopped() || backpressure.tooLarge()) {
        receiveNothing();
      } else {
        // Only after the inbox has their arrival: events of unknown bundles are lost.
        runs.look(source.receive(max));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      receiveNothing();
    } finally {
      last.end(now);
    }
  }

  /** Reports a failed receive to the inbox. */
  void receiveNothing() {
    inbox.post(new WorkerEvent.ReceiveFailed());
  }

  /**
   * Stops receiving, and ends a receive that is under way once nothing can come to it any more.
   * Returns at once.
   */
  void stopReceiving() {
    last.stop();
  }

  /** Carries out an effect on a bundle; returns at once. */
  void carryOut(BundleInHand bundle, BundleEffect effect) {
    effects.carryOut(bundle, effect);
    if (effect instanceof BundleEffect.Close) {
      last.returned();
    }
  }

  /** Asks again how long outgoing results and deletions may wait for others. */
  void gatherAnew() {
    effects.gatherAnew();
  }

  /** Whether every attempt that this worker lost while alive has been taken back. */
  boolean attemptsSettled() {
    return claims.settled();
  }

  /** Checks the runs of everything in hand; returns at once. */
  void lookAtRuns() {
    runs.look(inHand.values());
  }

  @Override
  public void close() throws InterruptedException {
    effects.close();
  }
}
