package io.cloudkon.core.port;

import java.time.Duration;
import java.util.List;

/**
 * The cluster's request queue: at least once, in no order. A received message is hidden for its
 * visibility and comes again unless it is deleted by then. Retention is 14 days.
 */
public interface RequestQueue {

  /** Its name, which is the cluster's. */
  String name();

  /**
   * Sends 1 to 10 messages in one call.
   *
   * @return what was not accepted; empty means that all were
   * @throws MissingResourceException if the queue does not exist
   */
  List<BatchFailure> send(List<OutgoingMessage> batch);

  /**
   * Receives up to {@code max} messages.
   *
   * @param max 1 to 10
   * @param wait how long to wait for the first one, up to 20 s; zero returns at once. A memory
   *     queue wakes early when a message comes
   * @param visibility for how long they are hidden from others
   * @return none to {@code max} messages; none also where too many are in flight (120,000)
   * @throws InterruptedException if interrupted while it waits; nothing was received then that does
   *     not come again
   */
  List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException;

  /**
   * Deletes 1 to 10 messages by the handles of their last receives. An outdated handle may do
   * nothing, and that is no failure.
   */
  List<BatchFailure> delete(List<String> handles);

  /**
   * Hides a message for this long from now on; zero shows it at once. An outdated handle may do
   * nothing, and that is no failure; nor is a message that is beyond its 12 hours.
   */
  void changeVisibility(String handle, Duration visibility);

  /** How many messages it holds. */
  QueueDepth depth();
}
