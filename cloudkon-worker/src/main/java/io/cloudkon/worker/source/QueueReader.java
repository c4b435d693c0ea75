package io.cloudkon.worker.source;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.OutageLog;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.intake.ReceiveTimes;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.lifetime.Polls;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages and decodes them into bundles. Makes one receive at a time, when its state
 * machine asks for it.
 */
public final class QueueReader {
  private static final Logger LOG = LoggerFactory.getLogger(QueueReader.class);

  private final RequestQueue queue;
  private final TimeSource time;
  private final Duration visibility;
  private final Inbox inbox;
  private final Predicate<BundleInHand> arrived;
  private final Undecodable undecodable;
  private final Polls polls;
  private final OutageLog outage;

  /** Held while messages that cannot be decoded are handled. */
  private final ReentrantLock turn = new ReentrantLock();

  private long nextKey;

  /**
   * A reader that has received nothing yet.
   *
   * @param visibility the time for which a received message is hidden: the lease
   * @param arrived receives each bundle before the inbox does; false if it has taken the bundle
   *     over, so that the inbox does not get it
   * @param polls sets the wait of each receive, and gets its number of messages
   */
  public QueueReader(
      RequestQueue queue,
      TimeSource time,
      Duration visibility,
      Inbox inbox,
      Predicate<BundleInHand> arrived,
      Undecodable undecodable,
      Polls polls) {
    this.queue = queue;
    this.time = time;
    this.visibility = visibility;
    this.inbox = inbox;
    this.arrived = arrived;
    this.undecodable = undecodable;
    this.polls = polls;
    this.outage = new OutageLog(LOG::warn, "receive", time::monotonicNanos);
  }

  /**
   * Receives up to {@code max} bundles and posts them to the inbox; blocks for up to 20 s. A
   * receive that must not begin, because the worker is about to end, counts as failed.
   *
   * @return the bundles that were posted to the inbox
   */
  public List<BundleInHand> receive(int max) {
    Duration wait = begin();
    if (wait == null) {
      inbox.post(new WorkerEvent.ReceiveFailed());
      return List.of();
    }
    Moment begun = time.now();
    long begunNanos = time.monotonicNanos();
    long begunMicros = time.wallMicros();
    try {
      List<ReceivedMessage> messages = messages(max, wait);
      outage.succeeded();
      ReceiveTimes times =
          ReceiveTimes.of(
              begun,
              (time.monotonicNanos() - begunNanos) / 1000,
              messages.stream()
                  .map(each -> new ReceiveTimes.Message(each.sentMillis(), each.receives()))
                  .toList());
      long received = time.wallMicros();
      List<BundleInHand> bundles = new ArrayList<>(messages.size());
      List<Runnable> undecodables = new ArrayList<>(0);
      for (ReceivedMessage message : messages) {
        decode(message, begunMicros, received, bundles, undecodables);
      }
      // Only once all are decoded: after an error nobody would know of those that were taken in.
      bundles.removeIf(bundle -> !arrived.test(bundle));
      List<WorkerEvent.Arrival> arrivals = bundles.stream().map(QueueReader::arrival).toList();
      WorkerEvent.Received event = new WorkerEvent.Received(arrivals, begun, times);
      if (undecodables.isEmpty()) {
        inbox.post(event);
      } else {
        post(event, undecodables);
      }
      return bundles;
    } catch (InterruptedException e) {
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (RefusedException e) {
      // already logged, once
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (MissingResourceException e) {
      outage.refused(String.valueOf(e.getMessage()));
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (CloudKonException e) {
      outage.failed(String.valueOf(e.getMessage()));
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (RuntimeException | Error e) {
      // Any error must be answered: otherwise no further receive would follow.
      LOG.error("receive failed, trying again", e);
      inbox.post(new WorkerEvent.ReceiveFailed());
    }
    return List.of();
  }

  /** The wait of the next receive; null if it must not begin. */
  private @Nullable Duration begin() {
    turn.lock();
    try {
      return polls.begin();
    } finally {
      turn.unlock();
    }
  }

  /**
   * Posts the bundles before it handles what came with them and cannot be decoded, which waits for
   * services; the next receive waits until that is done.
   */
  private void post(WorkerEvent.Received event, List<Runnable> undecodables) {
    turn.lock();
    try {
      inbox.post(event);
      undecodables.forEach(Runnable::run);
    } catch (RuntimeException | Error e) {
      LOG.error("messages that are not bundles will be received again", e);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Receives messages. The polls get the result before the inbox does, because the inbox's event
   * triggers the next receive.
   */
  private List<ReceivedMessage> messages(int max, Duration wait) throws InterruptedException {
    int count = -1;
    try {
      List<ReceivedMessage> messages = queue.receive(max, wait, visibility);
      count = messages.size();
      return messages;
    } finally {
      polls.ended(count);
    }
  }

  private static WorkerEvent.Arrival arrival(BundleInHand inHand) {
    return new WorkerEvent.Arrival(
        inHand.key(), inHand.bundle(), inHand.nonce(), inHand.receives());
  }

  private void decode(
      ReceivedMessage message,
      long begun,
      long received,
      List<BundleInHand> bundles,
      List<Runnable> undecodables) {
    try {
      Bundle bundle = BundleCodec.decode(message.payload());
      String nonce = UUID.randomUUID().toString();
      bundles.add(
          new BundleInHand(
              nextKey++, bundle, message.handle(), message.receives(), nonce, begun, received));
    } catch (MalformedMessageException e) {
      undecodables.add(() -> undecodable.accept(message, String.valueOf(e.getMessage())));
    }
  }
}
