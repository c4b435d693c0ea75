package io.cloudkon.client.collect;

import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.client.run.ReplyQueue;
import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Receives results once: each message is sorted, written, synced, and only then deleted, as long as
 * the run's lease is certain to hold. Thread safe.
 */
final class Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

  /** Results that may lie whole in memory at a time of those that come through the bucket. */
  private static final int FETCHED = 2;

  private final ResponseQueue queues;
  private final ReplyQueue replies;
  private final RunLease lease;
  private final CollectingAccount account;
  private final Follower follower;
  private final ResultIntake intake;
  private final TimeSource time;
  private final LongUnaryOperator serviceToWallMicros;
  private final Semaphore fetching = new Semaphore(FETCHED);

  Receiver(
      RunContext run,
      Follower follower,
      ResultIntake intake,
      LongUnaryOperator serviceToWallMicros) {
    this.queues = run.cluster().responses();
    this.replies = run.replies();
    this.lease = run.lease();
    this.account = run.account().collecting();
    this.time = run.time();
    this.follower = follower;
    this.intake = intake;
    this.serviceToWallMicros = serviceToWallMicros;
  }

  /** What is done about a receive besides taking what it brought. */
  interface Listener {
    /** A call that needs this permission was answered. */
    default void allowed(String action) {}

    /** Messages came that are not taken yet. */
    void brought(List<ReceivedMessage> messages);

    /** All of them are written; none if nothing came. */
    void taken(int messages, Moment begun);
  }

  /**
   * Receives, and gives how many messages came; 0 too if the lease is lost.
   *
   * @throws io.cloudkon.core.port.MissingResourceException if there is no such queue
   * @throws TransientServiceException if the receive failed
   * @throws RefusedException if it, or to delete what was taken, is not allowed
   */
  int receive(String queue, Duration wait, Listener listener) throws InterruptedException {
    Moment begun = time.now();
    long begunMicros = time.wallMicros();
    List<ReceivedMessage> messages =
        queues.receive(queue, Limits.BATCH, wait, Collector.VISIBILITY);
    listener.allowed("sqs:ReceiveMessage");
    long collected = time.wallMicros();
    replies.answered(queue, messages.size(), begun, wait);
    List<String> taken = new ArrayList<>(messages.size());
    if (!messages.isEmpty()) {
      listener.brought(messages);
      for (ReceivedMessage message : messages) {
        if (!accept(queue, message, begunMicros, collected, taken)) {
          return 0;
        }
      }
      intake.sync();
    }
    if (!lease.awaitValid()) {
      return 0;
    }
    listener.taken(messages.size(), begun);
    if (!taken.isEmpty() && lease.awaitValid()) {
      delete(queue, taken, listener);
    }
    return messages.size();
  }

  /** False if the lease is lost. What is not taken comes again. */
  private boolean accept(
      String queue, ReceivedMessage message, long begun, long collected, List<String> taken)
      throws InterruptedException {
    if (!lease.awaitValid()) {
      return false;
    }
    ResultBatch batch;
    try {
      batch = ResultCodec.decode(message.payload());
    } catch (MalformedMessageException e) {
      LOG.warn("a message of queue {} holds no results: {}", queue, e.getMessage());
      taken.add(message.handle());
      return true;
    }
    if (batch.stored().isEmpty()) {
      return accept(message, batch, begun, collected, taken);
    }
    fetching.acquire();
    try {
      return accept(message, batch, begun, collected, taken);
    } finally {
      fetching.release();
    }
  }

  private boolean accept(
      ReceivedMessage message, ResultBatch sent, long begun, long collected, List<String> taken)
      throws InterruptedException {
    Optional<ArrivingFiles.Arrival> arrived;
    try {
      arrived = follower.whole(sent).map(intake::arrival);
    } catch (UnwritableFolderException e) {
      throw e;
    } catch (CloudKonException e) {
      // once, where the call was made; or it is nothing to speak of
      boolean said = e instanceof RefusedException || e instanceof ArrivingFiles.UnderWayException;
      LOG.atLevel(said ? Level.DEBUG : Level.WARN)
          .log("results stay in their queue, and are asked for again: {}", e.getMessage());
      return lease.awaitValid();
    }
    try (ArrivingFiles.Arrival arrival = arrived.orElse(null)) {
      if (!lease.awaitValid()) {
        return false;
      }
      if (arrival != null) {
        long replied = serviceToWallMicros.applyAsLong(message.sentMillis());
        intake.accept(arrival, replied, begun, collected);
      }
      taken.add(message.handle());
      return true;
    }
  }

  /** What is not deleted comes again and is dropped as a duplicate. */
  private void delete(String queue, List<String> handles, Listener listener) {
    long asked = time.monotonicNanos();
    try {
      List<BatchFailure> failures = queues.delete(queue, handles);
      account.called((time.monotonicNanos() - asked) / 1000);
      listener.allowed("sqs:DeleteMessage");
      failures.forEach(f -> LOG.debug("a result message was not deleted: {}", f.reason()));
    } catch (TransientServiceException e) {
      LOG.debug("result messages were not deleted: {}", e.getMessage());
    }
  }
}
