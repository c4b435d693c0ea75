package io.cloudkon.core.port;

import java.util.Map;

/**
 * A message as one receive delivered it.
 *
 * @param handle the receipt handle, which is needed to delete the message or to change its
 *     visibility. A later receive of the same message may invalidate it
 * @param attributes as sent
 * @param payload as sent
 * @param sentMillis when the queue accepted it; the service's clock, epoch milliseconds
 * @param receives how often it was received, including this time; approximate
 */
public record ReceivedMessage(
    String handle, Map<String, String> attributes, byte[] payload, long sentMillis, int receives) {
  public ReceivedMessage {
    attributes = Map.copyOf(attributes);
  }
}
