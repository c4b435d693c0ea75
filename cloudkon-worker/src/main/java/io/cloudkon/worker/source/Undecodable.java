package io.cloudkon.worker.source;

import io.cloudkon.core.port.ReceivedMessage;

/** Takes messages that are no bundles. */
public interface Undecodable {

  /**
   * Sees to it that the message goes to the dead-letter queue, and that its client is told.
   *
   * @param reason what is wrong with it
   */
  void accept(ReceivedMessage message, String reason);
}
