package io.cloudkon.core.protocol.intake;

import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * The duration of a receive, and the part of it in which it only waited for a message. A long poll
 * of an idle worker waits for seconds, which says nothing about the queue's round trip.
 *
 * @param waitedMillis the time until the first of its messages was sent, in milliseconds by the
 *     service's clock; 0 if they were there, or if that is unknown
 * @param micros how long it took, in microseconds; negative if it may have waited for its messages
 */
public record ReceiveTimes(long waitedMillis, long micros) {

  /**
   * A message that a receive brought.
   *
   * @param sentMillis when the queue accepted it; service clock, epoch milliseconds
   * @param receives how often it was received, including this time
   */
  public record Message(long sentMillis, int receives) {}

  /**
   * The times of a receive. A message that was received before may have become visible only during
   * the wait, so it does not show that there was none.
   *
   * @param begun when the receive was sent
   * @param micros how long it took, in microseconds
   * @param messages what it brought
   */
  public static ReceiveTimes of(Moment begun, long micros, List<Message> messages) {
    long firstSent = messages.stream().mapToLong(Message::sentMillis).min().orElse(0);
    boolean waiting =
        messages.stream()
            .anyMatch(each -> each.receives() <= 1 && each.sentMillis() <= begun.service());
    return new ReceiveTimes(
        Math.clamp(firstSent - begun.service(), 0, Math.max(0, micros / 1000)),
        waiting ? micros : -1);
  }

  /**
   * The earliest time at which the messages were hidden by the receive.
   *
   * @param begun when the receive was sent
   * @param marginMillis the maximum difference between two clocks, in milliseconds
   */
  public Moment hiddenSince(Moment begun, long marginMillis) {
    return begun.plus(Math.max(0, waitedMillis - marginMillis));
  }
}
