package io.cloudkon.worker.gang;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.OfferCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.OutageLog;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives offers of ranks on its own thread while this worker has a slot to offer, or expects one
 * in a moment.
 */
final class RankSource implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RankSource.class);
  private static final Duration LONG_POLL = Duration.ofSeconds(20);

  /** Long enough to ask a manager twice. */
  private static final Duration VISIBILITY = Duration.ofSeconds(10);

  /** How often it checks for slots by itself: a worker that recovers from being sick has them. */
  private static final long LOOK_MILLIS = 500;

  private final RequestQueue queue;
  private final IntSupplier slotsToOffer;
  private final GangInbox inbox;
  private final BiPredicate<String, RankOffer> arrived;
  private final BackOff backOff;
  private final OutageLog outage;
  private final Thread thread;

  // Not a monitor: in JDK 25, a monitor on which virtual threads wait can stop the loops that
  // notify them (JDK-8369019).
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CountDownLatch ended = new CountDownLatch(1);

  /**
   * Starts its thread.
   *
   * @param slotsToOffer the number of offers that could be taken now
   * @param arrived receives each offer, with the handle of its message, before the inbox does, and
   *     returns whether to pass it on; throws an {@link IllegalArgumentException} if the offer is
   *     invalid
   * @param nanos a monotonic clock
   */
  RankSource(
      RequestQueue queue,
      IntSupplier slotsToOffer,
      GangInbox inbox,
      BiPredicate<String, RankOffer> arrived,
      BackOff backOff,
      LongSupplier nanos) {
    this.queue = queue;
    this.slotsToOffer = slotsToOffer;
    this.inbox = inbox;
    this.arrived = arrived;
    this.backOff = backOff;
    this.outage = new OutageLog(LOG::warn, "receive of ranks", nanos);
    this.thread = Thread.ofVirtual().name("cloudkon-ranks").start(this::work);
  }

  /** Handles a possible change of the number of slots. */
  void look() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private int await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      int hand = slotsToOffer.getAsInt();
      while (hand <= 0) {
        var unused = changed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        hand = slotsToOffer.getAsInt();
      }
      return hand;
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    int failures = 0;
    while (ended.getCount() > 0) {
      try {
        receive(Math.min(await(), Limits.BATCH));
        outage.succeeded();
        failures = 0;
      } catch (InterruptedException e) {
        // Ends the loop only with stop(): the timer of a call may interrupt this thread too late.
        LOG.debug("the receive of ranks was interrupted");
      } catch (RuntimeException | Error e) {
        tell(e);
        failures++;
        pause(backOff.millis(failures));
      }
    }
  }

  private void tell(Throwable failure) {
    switch (failure) {
      case RefusedException _ -> {
        // logged already
      }
      case MissingResourceException missing -> outage.refused(String.valueOf(missing.getMessage()));
      case CloudKonException known -> outage.failed(String.valueOf(known.getMessage()));
      default -> LOG.error("receive of ranks failed, trying again", failure);
    }
  }

  private void pause(long millis) {
    try {
      var unused = ended.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // stop(), which ends the loop
      return;
    }
  }

  private void receive(int max) throws InterruptedException {
    List<SubWorkerEvent.Offer> offers = new ArrayList<>();
    List<String> dropped = new ArrayList<>();
    for (ReceivedMessage message : queue.receive(max, LONG_POLL, VISIBILITY)) {
      try {
        RankOffer offer = OfferCodec.decode(message.payload());
        if (arrived.test(message.handle(), offer)) {
          offers.add(
              new SubWorkerEvent.Offer(
                  message.handle(),
                  offer.gang(),
                  offer.job(),
                  offer.rank(),
                  offer.deadlineMillis()));
        }
      } catch (MalformedMessageException | IllegalArgumentException e) {
        LOG.warn("a message of queue {} was dropped: {}", queue.name(), e.getMessage());
        dropped.add(message.handle());
      } catch (RuntimeException | Error e) {
        // The message is received again; the others must not wait for it.
        LOG.error("an offer of queue {} could not be taken", queue.name(), e);
      }
    }
    if (!offers.isEmpty()) {
      inbox.tell(new SubWorkerEvent.Offered(offers));
    }
    if (!dropped.isEmpty()) {
      queue.delete(dropped);
    }
  }

  /** Stops receiving. */
  void stop() {
    ended.countDown();
    thread.interrupt();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    thread.join();
  }
}
