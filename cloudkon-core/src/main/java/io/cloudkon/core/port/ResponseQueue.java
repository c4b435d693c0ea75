package io.cloudkon.core.port;

import io.cloudkon.core.model.Names;
import java.time.Duration;
import java.util.List;

/**
 * The cluster's response queues, one per client, with at-least-once delivery in any order.
 *
 * <p>Their names come from bundles and run entries, which are untrusted. A name that is not that of
 * a response queue of this cluster ({@link Names#isResponse}) is treated as a queue that does not
 * exist, even if there is one. So nobody can have results sent to another queue, or have another
 * queue emptied or removed.
 */
public interface ResponseQueue {

  /**
   * Creates a response queue; an existing one is not changed. Returns when the queue can be used.
   */
  void create(String queue);

  /** Removes a response queue with its messages; a queue that does not exist is not a failure. */
  void remove(String queue);

  /** The names of all response queues of the cluster. */
  List<String> list();

  /**
   * Sends 1 to 10 messages in one call.
   *
   * @return the entries that were not accepted; empty if all were accepted
   * @throws MissingResourceException if the queue does not exist
   */
  List<BatchFailure> send(String queue, List<OutgoingMessage> batch);

  /**
   * Receives messages, like {@link RequestQueue#receive}.
   *
   * @throws MissingResourceException if the queue does not exist
   */
  List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException;

  /** Deletes messages, like {@link RequestQueue#delete}. */
  List<BatchFailure> delete(String queue, List<String> handles);
}
