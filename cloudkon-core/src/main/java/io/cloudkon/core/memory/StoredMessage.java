package io.cloudkon.core.memory;

import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.util.Comparator;

/**
 * A message in a {@link MessageBuffer}, guarded by its lock. Times are the buffer's nanoseconds.
 */
final class StoredMessage {
  static final Comparator<StoredMessage> BY_RANK =
      Comparator.<StoredMessage>comparingLong(m -> m.rank).thenComparingLong(m -> m.number);
  static final Comparator<StoredMessage> BY_VISIBLE_AT =
      Comparator.<StoredMessage>comparingLong(m -> m.visibleAt).thenComparingLong(m -> m.number);

  final long number;
  final OutgoingMessage message;
  final long sentMillis;

  /** Its place among those that are ready; never changed while it is ready. */
  long rank;

  /**
   * The time of its last receive, and the time until which it is hidden; never changed while it is
   * hidden.
   */
  long receivedAt;

  long visibleAt;
  boolean inFlight;
  private int receives;

  StoredMessage(long number, OutgoingMessage message, long sentMillis) {
    this.number = number;
    this.message = message;
    this.sentMillis = sentMillis;
  }

  ReceivedMessage receive(long now, long visibilityNanos) {
    receives++;
    receivedAt = now;
    visibleAt = now + visibilityNanos;
    inFlight = true;
    return new ReceivedMessage(
        new Handle(number, receives).text(),
        message.attributes(),
        message.payload(),
        sentMillis,
        receives);
  }

  /** Whether the handle is that of its last receive. */
  boolean isCurrent(Handle handle) {
    return handle.receive() == receives;
  }
}
