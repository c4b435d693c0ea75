package io.cloudkon.core.port;

import java.util.Map;

/**
 * A message to be sent.
 *
 * @param attributes short texts in addition to the payload, readable even if the payload is not; at
 *     most 8, with non-empty values
 * @param payload the message itself, any bytes; neither copied nor changed
 * @param group the tenant to which the message belongs, for SQS's fair queues: a tenant with many
 *     messages in flight does not delay those of others. At most 128 visible ASCII characters;
 *     empty for none. It has no other effect: messages of one group are delivered in any order and
 *     concurrently
 */
public record OutgoingMessage(Map<String, String> attributes, byte[] payload, String group) {
  /** The attribute that names the run. */
  public static final String RUN = "run";

  /** The attribute that names the bundle. */
  public static final String BUNDLE = "bundle";

  /** The attribute that names the response queue. */
  public static final String RESPONSE_QUEUE = "reply";

  /** The attribute with the reason why a message is in the dead-letter queue. */
  public static final String REASON = "reason";

  public OutgoingMessage {
    attributes = Map.copyOf(attributes);
  }

  /** A message without a group. */
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
