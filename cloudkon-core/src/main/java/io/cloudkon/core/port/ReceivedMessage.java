package io.cloudkon.core.port;

import java.util.Map;

/**
 * A message as one receive delivered it.
 *
 * @param handle names this receive: deletes the message or changes its visibility. A later receive
 *     of the same message may make it void
 * @param attributes as sent
 * @param payload as sent
 * @param sentMillis when the queue accepted it; the service's clock, epoch milliseconds
 * @param receives how often it was received, this time included; approximate
 */
public record ReceivedMessage(
    String handle, Map<String, String> attributes, byte[] payload, long sentMillis, int receives) {
  public ReceivedMessage {
    attributes = Map.copyOf(attributes);
  }
}
