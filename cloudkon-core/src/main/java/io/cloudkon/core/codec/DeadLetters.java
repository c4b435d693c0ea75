package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Messages of the dead-letter queue: the attributes of the message that could not be run, the
 * reason as one more, and for payload a bundle of the tasks that failed; or, where it could not be
 * decoded, what it was. Stateless and thread safe.
 */
public final class DeadLetters {
  private static final int REASON_CHARS = 500;

  private DeadLetters() {}

  /** Tasks that nobody is to try again. */
  public static OutgoingMessage of(Bundle failed, String reason) {
    OutgoingMessage message = BundleMessages.of(failed);
    return of(message.attributes(), message.payload(), reason, message.group());
  }

  /** A message that is no bundle. Of one that leaves no room for the reason, the end is cut. */
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

  /** SQS refuses an attribute with control characters or half characters in it. */
  private static String legible(String reason) {
    String cut = reason.substring(0, Math.min(reason.length(), REASON_CHARS));
    return cut.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
