package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the dead-letter queue. They have the attributes of the message that could not be run
 * and the reason as an additional one. The payload is a bundle of the failed tasks or, if the
 * message could not be decoded, its original payload. Stateless and thread safe.
 */
public final class DeadLetters {
  private static final int REASON_CHARS = 500;

  /** One less than {@link OutgoingMessage} allows: the reason is one, too. */
  private static final int MOST_FOREIGN = 7;

  private static final int FOREIGN_BYTES = 64 * 1024;
  private static final byte[] NOTHING = {};
  private static final List<String> OWN =
      List.of(OutgoingMessage.RUN, OutgoingMessage.BUNDLE, OutgoingMessage.RESPONSE_QUEUE);

  private DeadLetters() {}

  /** A letter of tasks that are not tried again. */
  public static OutgoingMessage of(Bundle failed, String reason) {
    OutgoingMessage message = BundleMessages.of(failed);
    return of(message.attributes(), message.payload(), reason, message.group());
  }

  /**
   * A letter of a message that is not a bundle. If its attributes leave no room for the reason,
   * some are left out; if its payload does not, its end is cut.
   */
  public static OutgoingMessage of(Map<String, String> attributes, byte[] payload, String reason) {
    String queue = attributes.getOrDefault(OutgoingMessage.RESPONSE_QUEUE, "");
    return of(kept(attributes), payload, reason, Names.client(queue));
  }

  /** The attributes for which a letter has room, first those that CloudKon's own messages have. */
  private static Map<String, String> kept(Map<String, String> foreign) {
    Map<String, String> kept = new TreeMap<>();
    for (String own : OWN) {
      keep(kept, own, foreign.get(own));
    }
    new TreeMap<>(foreign).forEach((name, value) -> keep(kept, name, value));
    return kept;
  }

  private static void keep(Map<String, String> kept, String name, @Nullable String value) {
    if (value == null || kept.containsKey(name) || kept.size() == MOST_FOREIGN) {
      return;
    }
    kept.put(name, value);
    if (new OutgoingMessage(kept, NOTHING).countedBytes() > FOREIGN_BYTES) {
      kept.remove(name);
    }
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
