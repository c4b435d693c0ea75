package io.cloudkon.client.dead;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message of the dead-letter queue. Immutable.
 *
 * @param id hexadecimal SHA-256 of everything that was sent except the reason: two copies of one
 *     message are one letter, even if two workers worded their reasons differently
 * @param run the run that its attributes name; empty if they name none
 * @param bundle likewise
 * @param responseQueue likewise
 * @param reason why it is in the queue
 * @param sentMillis when it was sent to the queue; service clock, epoch milliseconds
 * @param bytes the size of its payload
 * @param contents its decoded payload
 */
public record DeadLetter(
    String id,
    String run,
    String bundle,
    String responseQueue,
    String reason,
    long sentMillis,
    int bytes,
    Contents contents) {
  private static final int SHORT_CHARS = 8;

  /** The contents of a letter. */
  public sealed interface Contents {}

  /**
   * Tasks that failed for good.
   *
   * @param bundle these tasks alone, with the header of their original bundle
   */
  public record Tasks(Bundle bundle) implements Contents {}

  /**
   * A message that is not a bundle.
   *
   * @param problem why it cannot be decoded
   * @param payload the payload as received; never modified
   */
  public record Undecodable(String problem, byte[] payload) implements Contents {}

  /** The letter that a message holds. */
  public static DeadLetter of(ReceivedMessage message) {
    Map<String, String> attributes = message.attributes();
    return new DeadLetter(
        digest(attributes, message.payload()),
        attributes.getOrDefault(OutgoingMessage.RUN, ""),
        attributes.getOrDefault(OutgoingMessage.BUNDLE, ""),
        attributes.getOrDefault(OutgoingMessage.RESPONSE_QUEUE, ""),
        attributes.getOrDefault(OutgoingMessage.REASON, ""),
        message.sentMillis(),
        message.payload().length,
        contents(message.payload()));
  }

  /** The beginning of its id, long enough to distinguish it from others. */
  public String shortId() {
    return id.substring(0, SHORT_CHARS);
  }

  private static Contents contents(byte[] payload) {
    try {
      return new Tasks(BundleCodec.decode(payload));
    } catch (MalformedMessageException e) {
      return new Undecodable(String.valueOf(e.getMessage()), payload);
    }
  }

  private static String digest(Map<String, String> attributes, byte[] payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      TreeMap<String, String> sent = new TreeMap<>(attributes);
      sent.remove(OutgoingMessage.REASON);
      sent.forEach((name, value) ->
          digest.update((name + '\0' + value + '\0').getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(payload));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
