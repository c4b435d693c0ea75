package io.cloudkon.core.port;

import java.util.Map;

/**
 * A message to be sent.
 *
 * @param attributes short texts beside the payload, legible even where the payload is not; at most
 *     8. Values are not empty
 * @param payload the message itself, any bytes; not copied, never written to
 */
public record OutgoingMessage(Map<String, String> attributes, byte[] payload) {
  /** The attribute that names the run. */
  public static final String RUN = "run";

  /** The attribute that names the bundle. */
  public static final String BUNDLE = "bundle";

  /** The attribute that names the response queue. */
  public static final String RESPONSE_QUEUE = "reply";

  /** The attribute that says why a message is in the dead-letter queue. */
  public static final String REASON = "reason";

  public OutgoingMessage {
    attributes = Map.copyOf(attributes);
  }

  /** Its size as SQS counts it: body, payload, and every attribute's name, type and value. */
  public int countedBytes() {
    int bytes = 1 + "payload".length() + "Binary".length() + payload.length;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += utf8(attribute.getKey()) + "String".length() + utf8(attribute.getValue());
    }
    return bytes;
  }

  private static int utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }
}
