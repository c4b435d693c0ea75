package io.cloudkon.client.collect;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits how long a client waits for a response queue that refuses it: not at all before the queue
 * has worked once, five minutes after that. Thread safe.
 */
final class RefusedQueue {
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TimeSource time;
  private final Map<String, Long> since = new ConcurrentHashMap<>();
  private volatile boolean worked;

  RefusedQueue(TimeSource time) {
    this.time = time;
  }

  /** Of a queue that this run's results went to before, and so was allowed once. */
  static RefusedQueue thatWorked(TimeSource time) {
    RefusedQueue queue = new RefusedQueue(time);
    queue.worked = true;
    return queue;
  }

  /** A call failed: throws the failure if it is a refusal, and not to be waited for any longer. */
  void throwIfHopeless(CloudKonException e) {
    if (e instanceof RefusedException refused && isHopeless(refused)) {
      throw refused;
    }
  }

  /** A call was refused; says whether to wait no longer. */
  boolean isHopeless(RefusedException e) {
    long now = time.monotonicNanos();
    long first = since.computeIfAbsent(e.action(), action -> now);
    return !worked || now - first >= PATIENCE.toNanos();
  }

  /** A call that needs this permission was answered. */
  void allowed(String action) {
    worked = true;
    if (!since.isEmpty()) {
      since.remove(action);
      since.remove("sqs:GetQueueUrl"); // asked for before the call
    }
  }
}
