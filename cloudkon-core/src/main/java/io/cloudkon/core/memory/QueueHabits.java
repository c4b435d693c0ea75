package io.cloudkon.core.memory;

/**
 * The habits of memory queues within the freedom that SQS takes.
 *
 * @param inFlightLimit at most how many messages are in flight in one queue
 * @param disorder by how many places a message may fall behind those that came after it; 0 keeps
 *     the order
 * @param outdatedHandlesWork whether a handle still deletes and hides after a later receive of the
 *     same message
 */
public record QueueHabits(int inFlightLimit, int disorder, boolean outdatedHandlesWork) {
  private static final QueueHabits ORDERLY = new QueueHabits(120_000, 0, false);

  public QueueHabits {
    if (inFlightLimit < 1 || disorder < 0) {
      throw new IllegalArgumentException(
          "in-flight limit %d, disorder %d: expected at least 1 and 0"
              .formatted(inFlightLimit, disorder));
    }
  }

  /** 120,000 in flight, in order, outdated handles do nothing. */
  public static QueueHabits orderly() {
    return ORDERLY;
  }
}
