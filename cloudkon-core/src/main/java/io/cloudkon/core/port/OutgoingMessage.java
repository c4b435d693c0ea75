package io.cloudkon.core.port;

import java.util.Map;

/**
 * A message to be sent.
 *
 * @param attributes short texts beside the payload, legible even where the payload is not; at most
 *     8. Values are not empty
 * @param payload the message itself, any bytes; not copied, never written to
 * @param group whose message it is, for SQS's fair queues: a tenant with many messages in flight
 *     does not hold up those of others. At most 128 visible ASCII characters; empty for none. It
 *     changes nothing else: messages of one group are delivered in any order, and side by side
 */
public record OutgoingMessage(Map<String, String> attributes, byte[] payload, String group) {
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

  /** A message of no group. */
  public OutgoingMessage(Map<String, String> attributes, byte[] payload) {
    this(attributes, payload, "");
  }

  /**
   * Its size as SQS counts it: body, payload, and every attribute's name, type and value. AWS does
   * not document whether a group counts; here it does, so that no batch is too large.
   */
  public int countedBytes() {
    int bytes = 1 + "payload".length() + "Binary".length() + payload.length + utf8(group);
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += utf8(attribute.getKey()) + "String".length() + utf8(attribute.getValue());
    }
    return bytes;
  }

  private static int utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }
}
