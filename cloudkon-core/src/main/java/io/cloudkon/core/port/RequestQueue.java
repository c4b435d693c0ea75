package io.cloudkon.core.port;

import java.time.Duration;
import java.util.List;

/**
 * The cluster's request queue, with at-least-once delivery in any order. A received message is
 * hidden for its visibility timeout and delivered again unless it is deleted by then. Retention is
 * 14 days.
 */
public interface RequestQueue {

  /** Its name, which is the cluster's. */
  String name();

  /**
   * Sends 1 to 10 messages in one call.
   *
   * @return the entries that were not accepted; empty if all were accepted
   * @throws MissingResourceException if the queue does not exist
   */
  List<BatchFailure> send(List<OutgoingMessage> batch);

  /**
   * Receives up to {@code max} messages.
   *
   * @param max 1 to 10
   * @param wait how long to wait for the first one, up to 20 s; zero returns at once. A memory
   *     queue returns early when a message arrives
   * @param visibility how long they are hidden from other receivers
   * @return at most {@code max} messages; none if too many are in flight (120,000)
   * @throws InterruptedException if interrupted while it waits; messages that were received are
   *     then delivered again
   */
  List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException;

  /**
   * Deletes 1 to 10 messages by the handles of their last receives. An outdated handle may have no
   * effect, which is not a failure.
   */
  List<BatchFailure> delete(List<String> handles);

  /**
   * Hides a message for this time from now on; zero makes it visible at once. An outdated handle
   * may have no effect, which is not a failure; nor is a message whose maximum of 12 hours is
   * exceeded.
   */
  void changeVisibility(String handle, Duration visibility);

  /**
   * Changes the visibility of 1 to 10 messages in one call, each as {@link #changeVisibility} does.
   *
   * @return the entries that were not carried out; empty if all were
   */
  List<BatchFailure> changeVisibilities(List<VisibilityChange> batch);

  /**
   * Whether a receive takes no more messages once it is interrupted. A service notices late, or
   * never, that a receive was aborted, and may still give it messages.
   */
  default boolean endsReceivesAtOnce() {
    return false;
  }

  /** The number of messages in the queue. */
  QueueDepth depth();
}
