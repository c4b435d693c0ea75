package io.cloudkon.core.port;

import io.cloudkon.core.model.Names;
import java.time.Duration;
import java.util.List;

/**
 * The cluster's response queues, one per client: at least once, in no order.
 *
 * <p>Their names come from bundles and run entries, which others write. A name that is no response
 * queue's of this cluster ({@link Names#isResponse}) is the name of a queue that does not exist,
 * whatever there is of that name, so nobody can have results sent into another queue, or that queue
 * emptied or removed.
 */
public interface ResponseQueue {

  /**
   * Creates a response queue; one that exists is left as it is. Returns when it can be sent to and
   * received from.
   */
  void create(String queue);

  /** Removes a response queue and what it holds; one that does not exist is no failure. */
  void remove(String queue);

  /** The names of all response queues of the cluster. */
  List<String> list();

  /**
   * Sends 1 to 10 messages in one call.
   *
   * @return what was not accepted; empty means that all were
   * @throws MissingResourceException if the queue does not exist
   */
  List<BatchFailure> send(String queue, List<OutgoingMessage> batch);

  /**
   * Receives, as {@link RequestQueue#receive}.
   *
   * @throws MissingResourceException if the queue does not exist
   */
  List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException;

  /** Deletes, as {@link RequestQueue#delete}. */
  List<BatchFailure> delete(String queue, List<String> handles);
}
