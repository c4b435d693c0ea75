package io.cloudkon.client.collect;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how long a client waits for a response queue that refuses it: not at all before the queue
 * has worked once, and five minutes after that. Thread safe.
 */
final class RefusedQueue {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TimeSource time;
  private final Map<String, Long> since = new ConcurrentHashMap<>();
  private volatile boolean worked;

  RefusedQueue(TimeSource time) {
    this.time = time;
  }

  /** For a former queue of this run, to which access was allowed once. */
  static RefusedQueue thatWorked(TimeSource time) {
    RefusedQueue queue = new RefusedQueue(time);
    queue.worked = true;
    return queue;
  }

  /**
   * Handles a failed call: throws the failure if it is a refusal that is no longer worth waiting
   * for.
   */
  void throwIfHopeless(CloudKonException e) {
    if (e instanceof RefusedException refused && isHopeless(refused)) {
      throw refused;
    }
  }

  /** Handles a refused call; returns whether to stop waiting. */
  boolean isHopeless(RefusedException e) {
    long now = time.monotonicNanos();
    long first = since.computeIfAbsent(e.action(), action -> now);
    return !worked || now - first >= PATIENCE.toNanos();
  }

  /** Handles a successful call that needs this permission. */
  void allowed(String action) {
    worked = true;
    if (!since.isEmpty()) {
      since.remove(action);
      since.remove("sqs:GetQueueUrl"); // needed before the call
    }
  }
}
