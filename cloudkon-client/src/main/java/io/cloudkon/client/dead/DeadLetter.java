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
 * @param id SHA-256 of all that was sent but the reason, hex: two copies of one message are one
 *     letter, and so is what two workers gave up in other words
 * @param run as its attributes name it; empty if they do not
 * @param bundle likewise
 * @param responseQueue likewise
 * @param reason why it is here
 * @param sentMillis when it came here; service clock, epoch milliseconds
 * @param bytes of its payload
 * @param contents what could not be run
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

  /** What a letter holds. */
  public sealed interface Contents {}

  /**
   * Tasks that failed for good.
   *
   * @param bundle them alone, under the header of the bundle that they came in
   */
  public record Tasks(Bundle bundle) implements Contents {}

  /**
   * A message that is no bundle.
   *
   * @param problem what was expected of it
   * @param payload as it came; never written to
   */
  public record Undecodable(String problem, byte[] payload) implements Contents {}

  /** The letter that a message is. */
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

  /** What people call it by: enough of its id to tell it from others. */
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
