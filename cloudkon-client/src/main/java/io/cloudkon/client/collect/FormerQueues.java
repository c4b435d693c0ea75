package io.cloudkon.client.collect;

import io.cloudkon.client.run.CollectingAccount;
import io.cloudkon.client.run.ReplyQueue;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a run's former response queues, in turn and on one thread, until each is certain to be
 * gone: a queue that seemed to be gone may reappear with results in it.
 */
final class FormerQueues implements Receiver.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FormerQueues.class);

  /** The wait if there is no queue to read, or a receive failed. */
  private static final long PAUSE_MILLIS = 1_000;

  /** The longest turn; results in the next queue wait for its end. */
  private static final Duration TURN = Duration.ofSeconds(5);

  private static final Duration SHORT_TURN = Duration.ofSeconds(1);

  private final ReplyQueue replies;
  private final Receiver receiver;
  private final Follower follower;
  private final CollectingAccount account;
  private final RunOutcome outcome;
  private final RunLease lease;
  private final CountDownLatch stopped;
  private final TimeSource time;
  private final Map<String, ServicePatience> refused = new HashMap<>();
  private Duration wait = TURN;
  private String reading = "";

  FormerQueues(
      ReplyQueue replies,
      Receiver receiver,
      Follower follower,
      CollectingAccount account,
      RunOutcome outcome,
      RunLease lease,
      CountDownLatch stopped,
      TimeSource time) {
    this.replies = replies;
    this.receiver = receiver;
    this.follower = follower;
    this.account = account;
    this.outcome = outcome;
    this.lease = lease;
    this.stopped = stopped;
    this.time = time;
  }

  /** Reads until the run is over, the lease is lost, or it is stopped. */
  void read() {
    try {
      while (!outcome.over()) {
        List<String> former = replies.former();
        boolean paused = former.isEmpty();
        for (String queue : former) {
          if (outcome.over() || !lease.awaitValid()) {
            return;
          }
          wait = former.size() > 1 || account.inGrace() ? SHORT_TURN : TURN;
          paused |= !readOnce(queue);
        }
        if (paused && stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      outcome.failed(e);
    }
  }

  /** Reads a queue once; returns false if it is missing or the receive failed. */
  private boolean readOnce(String queue) throws InterruptedException {
    reading = queue;
    try {
      var unused = receiver.receive(queue, wait, this);
      return true;
    } catch (MissingResourceException e) {
      if (!e.resource().equals(queue)) {
        throw e;
      }
      if (replies.missing(queue)) {
        LOG.debug("former response queue {} is gone for good", queue);
      }
    } catch (TransientServiceException | RefusedException e) {
      refused(queue).throwIfHopeless(e);
      replies.failed(queue);
      LOG.debug("could not receive from former response queue {}: {}", queue, e.getMessage());
    }
    return false;
  }

  private ServicePatience refused(String queue) {
    return refused.computeIfAbsent(queue, of -> ServicePatience.thatWorked(time));
  }

  @Override
  public void allowed(String action) {
    refused(reading).allowed(action);
  }

  @Override
  public void brought(List<ReceivedMessage> messages) {
    account.brought();
  }

  /**
   * Ignores an empty receive, which says nothing about the current queue; {@link
   * ReplyQueue#answered} handles it.
   */
  @Override
  public void taken(int messages, Moment begun) {
    if (messages > 0) {
      follower.follow(account.received(messages, begun, wait));
    }
  }
}
