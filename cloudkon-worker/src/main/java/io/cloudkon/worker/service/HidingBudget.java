package io.cloudkon.worker.service;

import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how many messages a worker may put back hidden. SQS lets 120,000 messages of a queue be in
 * flight, and a hidden one is: a single run whose results can go nowhere could use up all of them,
 * and then nobody receives anything. So a worker hides a few at a time, and none while half of the
 * limit is in use; what it may not hide it shows at once, for whoever receives next. Thread safe.
 */
final class HidingBudget {
  /** No more is hidden while so many messages are in flight: half of SQS's limit. */
  static final long MOST_IN_FLIGHT = 60_000;

  /**
   * Messages that one worker hides between two looks at the queue: SQS's counts are a few seconds
   * old, and 1,000 workers that go by the same one must not hide the other half together.
   */
  static final int PER_LOOK = 30;

  /** How long a look is good for: 5 s. */
  static final Duration LOOK = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(HidingBudget.class);

  private final LongSupplier inFlight;
  private final TimeSource time;
  private long lookAgainAt = Long.MIN_VALUE;
  private int left;

  /**
   * Has not looked yet.
   *
   * @param inFlight reads how many messages of the queue are in flight; may throw
   */
  HidingBudget(LongSupplier inFlight, TimeSource time) {
    this.inFlight = inFlight;
    this.time = time;
  }

  /** Takes a message's place; false if it is to be shown at once. May make a call. */
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
      // Whatever it was: a message that is shown at once holds nobody up.
      LOG.debug("cannot tell how many messages are in flight: {}", e.toString());
      return false;
    }
  }
}
