package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages of the dead-letter queue. They have the attributes of the message that could not be run
 * and the reason as an additional one. The payload is a bundle of the failed tasks or, if the
 * message could not be decoded, its original payload. Stateless and thread safe.
 */
public final class DeadLetters {
  private static final int REASON_CHARS = 500;

  private DeadLetters() {}

  /** A letter of tasks that are not tried again. */
  public static OutgoingMessage of(Bundle failed, String reason) {
    OutgoingMessage message = BundleMessages.of(failed);
    return of(message.attributes(), message.payload(), reason, message.group());
  }

  /**
   * A letter of a message that is not a bundle. If it leaves no room for the reason, its end is
   * cut.
   */
  public static OutgoingMessage of(Map<String, String> attributes, byte[] payload, String reason) {
    String queue = attributes.getOrDefault(OutgoingMessage.RESPONSE_QUEUE, "");
    return of(attributes, payload, reason, Names.client(queue));
  }

  private static OutgoingMessage of(
      Map<String, String> attributes, byte[] payload, String reason, String group) {
    Map<String, String> all = new HashMap<>(attributes);
    all.put(OutgoingMessage.REASON, legible(reason));
    OutgoingMessage message = new OutgoingMessage(all, payload, group);
    int tooMany = message.countedBytes() - Limits.MESSAGE_BYTES;
    return tooMany <= 0
        ? message
        : new OutgoingMessage(all, Arrays.copyOf(payload, payload.length - tooMany), group);
  }

  /**
   * Makes a reason valid for SQS, which refuses attributes with control characters or incomplete
   * surrogate pairs.
   */
  private static String legible(String reason) {
    String cut = reason.substring(0, Math.min(reason.length(), REASON_CHARS));
    return cut.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
