package io.cloudkon.client.collect;

import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.client.run.ReplyQueue;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Receives one batch of results at a time. Each message is sorted, written, synced, and only then
 * deleted, as long as the run's lease is certain to hold. Thread safe.
 */
final class Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

  /** The maximum number of messages whose results from the bucket are in memory at a time. */
  private static final int FETCHED = 2;

  private static final long MARGIN_MILLIS = 500;

  private final ResponseQueue queues;
  private final AdaptiveReceives receives;
  private final RunBlobs blobs;
  private final ReplyQueue replies;
  private final RunLease lease;
  private final CollectingAccount account;
  private final Follower follower;
  private final ResultIntake intake;
  private final TimeSource time;
  private final LongUnaryOperator serviceToWallMicros;
  private final Semaphore fetching = new Semaphore(FETCHED);

  /** The keys of the results that are being read from the bucket. */
  private final KeysUnderWay underWay = new KeysUnderWay();

  /** When all messages that were received and not taken are visible again; monotonic clock. */
  private final AtomicLong hiddenUntil = new AtomicLong(Long.MIN_VALUE);

  Receiver(
      RunContext run,
      Follower follower,
      ResultIntake intake,
      LongUnaryOperator serviceToWallMicros) {
    this.queues = run.cluster().responses();
    this.blobs = run.blobs();
    this.replies = run.replies();
    this.lease = run.lease();
    this.account = run.account().collecting();
    this.time = run.time();
    this.receives = new AdaptiveReceives(queues, time);
    this.follower = follower;
    this.intake = intake;
    this.serviceToWallMicros = serviceToWallMicros;
  }

  /** Observes a receive. */
  interface Listener {
    /** Handles a successful call that needs this permission. */
    default void allowed(String action) {}

    /** Handles the arrival of messages, before they are taken. */
    void brought(List<ReceivedMessage> messages);

    /** Handles that all messages are written; 0 messages if none came. */
    void taken(int messages, Moment begun);
  }

  /**
   * Receives once and returns the number of messages; also 0 if the lease is lost.
   *
   * @throws io.cloudkon.core.port.MissingResourceException if there is no such queue
   * @throws TransientServiceException if the receive failed
   * @throws RefusedException if the receive, or the deletion of its messages, is not allowed
   */
  int receive(String queue, Duration wait, Listener listener) throws InterruptedException {
    Moment begun = time.now();
    long begunMicros = time.wallMicros();
    List<ReceivedMessage> messages;
    try {
      messages = receives.receive(queue, wait);
    } catch (TransientServiceException e) {
      hidden(); // perhaps: the answer may have been lost
      throw e;
    }
    listener.allowed("sqs:ReceiveMessage");
    TakenMessages taken = new TakenMessages(messages.size());
    intake.inHand().begin();
    try {
      boolean leased = take(queue, wait, listener, begun, begunMicros, messages, taken);
      return leased ? messages.size() : 0;
    } finally {
      boolean returns = !taken.all();
      if (returns) {
        hidden();
      }
      intake.inHand().end(returns);
    }
  }

  private void hidden() {
    long visible = time.now().mono() + Collector.VISIBILITY.toMillis() + MARGIN_MILLIS;
    hiddenUntil.accumulateAndGet(visible, Math::max);
  }

  /** Takes the messages, and returns false if the lease is lost. */
  private boolean take(
      String queue,
      Duration wait,
      Listener listener,
      Moment begun,
      long begunMicros,
      List<ReceivedMessage> messages,
      TakenMessages taken)
      throws InterruptedException {
    long collected = time.wallMicros();
    replies.answered(queue, messages.size(), begun, wait);
    if (!messages.isEmpty()) {
      listener.brought(messages);
      for (ReceivedMessage message : messages) {
        if (!accept(queue, message, begunMicros, collected, taken)
            || (taken.fetched && !deleteFetched(queue, taken, listener))) {
          return false;
        }
      }
      intake.sync();
    }
    if (!lease.awaitValid()) {
      return false;
    }
    if (!taken.allRead()) {
      account.receiveFailed(); // some are still in the queue, unread
    }
    listener.taken(messages.size(), begun);
    if (!taken.handles.isEmpty() && lease.awaitValid()) {
      delete(queue, taken, listener);
    }
    return true;
  }

  /**
   * Deletes what was taken so far; returns false if the lease is lost. To read the results of a
   * whole batch from the bucket may take longer than its messages are hidden, and then they would
   * all be received again.
   */
  private boolean deleteFetched(String queue, TakenMessages taken, Listener listener)
      throws InterruptedException {
    taken.fetched = false;
    intake.sync();
    if (!lease.awaitValid()) {
      return false;
    }
    delete(queue, taken, listener);
    taken.nowDeleted();
    return true;
  }

  /** Whether results are being read from the bucket, which more threads would not speed up. */
  boolean fetches() {
    return underWay.any();
  }

  /** How long messages that were received and not taken are hidden; 0 if there are none. */
  long hiddenMillis() {
    long until = hiddenUntil.get();
    return until == Long.MIN_VALUE ? 0 : Math.max(0, until - time.now().mono());
  }

  /**
   * Takes a message; returns false if the lease is lost. A message that is not taken is received
   * again.
   */
  private boolean accept(
      String queue, ReceivedMessage message, long begun, long collected, TakenMessages taken)
      throws InterruptedException {
    if (!lease.awaitValid()) {
      return false;
    }
    ResultBatch batch;
    try {
      batch = ResultCodec.decode(message.payload());
    } catch (MalformedMessageException e) {
      LOG.warn("a message in queue {} contains no results: {}", queue, e.getMessage());
      taken.handles.add(message.handle());
      return true;
    }
    if (batch.tellsNothing()) {
      taken.handles.add(message.handle());
      return true;
    }
    if (batch.stored().isEmpty()) {
      return accept(message, batch, begun, collected, taken);
    }
    OptionalInt task = RefusedResults.task(batch);
    if (task.isPresent() && account.isFinal(task.getAsInt())) {
      taken.handles.add(message.handle());
      return true;
    }
    List<String> key = List.of(batch.stored());
    if (!underWay.begin(key)) {
      taken.elsewhere++;
      return true;
    }
    try {
      return fetch(message, batch, begun, collected, taken);
    } finally {
      underWay.end(key);
    }
  }

  private boolean fetch(
      ReceivedMessage message, ResultBatch batch, long begun, long collected, TakenMessages taken)
      throws InterruptedException {
    fetching.acquire();
    try {
      int before = taken.handles.size();
      boolean leased = accept(message, batch, begun, collected, taken);
      taken.fetched |= taken.handles.size() > before;
      return leased;
    } finally {
      fetching.release();
    }
  }

  private boolean accept(
      ReceivedMessage message, ResultBatch sent, long begun, long collected, TakenMessages taken)
      throws InterruptedException {
    Optional<ArrivingFiles.Arrival> arrived;
    try {
      arrived = follower.whole(sent).map(intake::arrival);
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (ArrivingFiles.UnderWayException e) {
      LOG.debug("{}", e.getMessage());
      taken.elsewhere++;
      return lease.awaitValid();
    } catch (CloudKonException e) {
      // already logged where the call was made, or not worth a warning
      boolean said = e instanceof RefusedException;
      LOG.atLevel(said ? Level.DEBUG : Level.WARN)
          .log("results stay in their queue and are requested again: {}", e.getMessage());
      return lease.awaitValid();
    }
    try (ArrivingFiles.Arrival arrival = arrived.orElse(null)) {
      if (!lease.awaitValid()) {
        return false;
      }
      if (arrival != null) {
        long replied = serviceToWallMicros.applyAsLong(message.sentMillis());
        intake.accept(arrival, replied, begun, collected);
        taken.fetched |= arrival.slow();
        taken.keys.addAll(arrival.keys());
        if (!sent.stored().isEmpty()) {
          taken.keys.add(sent.stored());
        }
      }
      taken.handles.add(message.handle());
      return true;
    }
  }

  /** Deletes messages. One that is not deleted is received again and dropped as a duplicate. */
  private void delete(String queue, TakenMessages taken, Listener listener) {
    long asked = time.monotonicNanos();
    try {
      List<BatchFailure> failures = queues.delete(queue, taken.handles);
      account.called((time.monotonicNanos() - asked) / 1000);
      listener.allowed("sqs:DeleteMessage");
      failures.forEach(f -> LOG.debug("a result message was not deleted: {}", f.reason()));
    } catch (TransientServiceException e) {
      LOG.debug("result messages were not deleted: {}", e.getMessage());
    }
    if (!taken.keys.isEmpty()) {
      blobs.store().spent(taken.keys);
    }
  }
}
