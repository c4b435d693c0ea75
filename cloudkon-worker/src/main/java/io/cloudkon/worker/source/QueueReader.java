package io.cloudkon.worker.source;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.OutageLog;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
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
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives messages and makes bundles of them. One receive at a time, as its machine asks for them.
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
  private long nextKey;

  /**
   * A source that has received nothing yet.
   *
   * @param visibility how long a received message is hidden: the lease
   * @param arrived is told of each bundle before the inbox is; false if it has taken it over, and
   *     the inbox is not to be told
   * @param polls how long each receive may wait; told what it brought
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
   * Receives up to {@code max} bundles and tells the inbox; blocks for up to 20 s. A receive that
   * is not to begin, as the worker is about to end, counts as failed.
   *
   * @return the bundles that the inbox was told of
   */
  public List<BundleInHand> receive(int max) {
    Duration wait = polls.begin();
    if (wait == null) {
      inbox.post(new WorkerEvent.ReceiveFailed());
      return List.of();
    }
    Moment begun = time.now();
    long begunMicros = time.wallMicros();
    try {
      List<ReceivedMessage> messages = messages(max, wait);
      outage.succeeded();
      long received = time.wallMicros();
      List<BundleInHand> bundles = new ArrayList<>(messages.size());
      for (ReceivedMessage message : messages) {
        accept(message, begunMicros, received, bundles);
      }
      List<WorkerEvent.Arrival> arrivals = bundles.stream().map(QueueReader::arrival).toList();
      inbox.post(new WorkerEvent.Received(arrivals, begun, received - begunMicros));
      return bundles;
    } catch (InterruptedException e) {
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (RefusedException e) {
      // said already, once
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (CloudKonException e) {
      outage.failed(String.valueOf(e.getMessage()));
      inbox.post(new WorkerEvent.ReceiveFailed());
    } catch (RuntimeException | Error e) {
      // Whatever it was: a receive that is not answered would be the worker's last.
      LOG.error("receive failed, trying again", e);
      inbox.post(new WorkerEvent.ReceiveFailed());
    }
    return List.of();
  }

  /** The polls know what came of it before the inbox does, as that asks for the next one. */
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

  private void accept(
      ReceivedMessage message, long begun, long received, List<BundleInHand> bundles) {
    try {
      Bundle bundle = BundleCodec.decode(message.payload());
      String nonce = UUID.randomUUID().toString();
      BundleInHand inHand =
          new BundleInHand(
              nextKey++, bundle, message.handle(), message.receives(), nonce, begun, received);
      if (arrived.test(inHand)) {
        bundles.add(inHand);
      }
    } catch (MalformedMessageException e) {
      undecodable.accept(message, String.valueOf(e.getMessage()));
    }
  }
}
