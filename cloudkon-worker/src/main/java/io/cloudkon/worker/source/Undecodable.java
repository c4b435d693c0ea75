package io.cloudkon.worker.source;

import io.cloudkon.core.port.ReceivedMessage;

/** Handles messages that are not bundles. */
public interface Undecodable {

  /**
   * Ensures that the message goes to the dead-letter queue and that its client is told.
   *
   * @param reason what is wrong with it
   */
  void accept(ReceivedMessage message, String reason);
}
