package io.cloudkon.worker.service;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how many messages a worker may put back hidden. SQS allows 120,000 messages of a queue in
 * flight, and hidden messages count: a single run whose results can go nowhere could use up the
 * limit, and then no worker could receive anything. So a worker hides a few at a time, and none
 * while half of the limit is in use. It makes other messages visible at once, for the next
 * receiver. Thread safe.
 */
final class HidingBudget {
  /** The number of messages in flight from which none are hidden: half of SQS's limit. */
  static final long MOST_IN_FLIGHT = 60_000;

  /**
   * The number of messages that one worker hides between two reads of the queue's count. SQS's
   * counts are a few seconds old, and 1,000 workers that rely on the same count must not use up the
   * other half of the limit together.
   */
  static final int PER_LOOK = 30;

  /** How long a read of the count is valid: 5 s. */
  static final Duration LOOK = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(HidingBudget.class);

  private final LongSupplier inFlight;
  private final TimeSource time;
  private long lookAgainAt = Long.MIN_VALUE;
  private int left;

  /**
   * A budget that has not read the count yet.
   *
   * @param inFlight reads how many messages of the queue are in flight; may throw
   */
  HidingBudget(LongSupplier inFlight, TimeSource time) {
    this.inFlight = inFlight;
    this.time = time;
  }

  /**
   * Takes a place for one message; false if the message is to be visible at once. May make a call.
   */
  synchronized boolean take() {
    long now = time.now().mono();
    if (now >= lookAgainAt) {
      lookAgainAt = now + LOOK.toMillis();
      left = roomToHide() ? PER_LOOK : 0;
    }
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  private boolean roomToHide() {
    try {
      return inFlight.getAsLong() < MOST_IN_FLIGHT;
    } catch (RuntimeException | Error e) {
      // Catches everything: a message that is visible at once delays nothing.
      LOG.debug("cannot tell how many messages are in flight: {}", e.toString());
      return false;
    }
  }
}
