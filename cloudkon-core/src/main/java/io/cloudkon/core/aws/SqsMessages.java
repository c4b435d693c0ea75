package io.cloudkon.core.aws;

import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * Converts messages to and from SQS. The payload is a Binary attribute, because SQS accepts only
 * valid text as a body, and base64 would cost a third of each billed 64 KiB.
 */
final class SqsMessages {
  private static final String PAYLOAD = "payload";
  private static final String BODY = ".";
  private static final byte[] NOTHING = {};

  private SqsMessages() {}

  static SendMessageBatchRequestEntry encode(int index, OutgoingMessage message) {
    Map<String, MessageAttributeValue> attributes = HashMap.newHashMap(9);
    message
        .attributes()
        .forEach((name, value) ->
            attributes.put(
                name,
                MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
    if (message.payload().length > 0) {
      attributes.put(
          PAYLOAD,
          MessageAttributeValue.builder()
              .dataType("Binary")
              .binaryValue(SdkBytes.fromByteArrayUnsafe(message.payload()))
              .build());
    }
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(index))
        .messageBody(BODY)
        .messageAttributes(attributes)
        .messageGroupId(message.group().isEmpty() ? null : message.group())
        .build();
  }

  /**
   * A foreign message becomes a message whose payload is the text of its body, which the codec
   * refuses and the dead-letter queue keeps.
   */
  static ReceivedMessage decode(Message message) {
    Map<String, String> attributes = HashMap.newHashMap(8);
    byte @Nullable [] payload = null;
    for (Map.Entry<String, MessageAttributeValue> entry : message.messageAttributes().entrySet()) {
      MessageAttributeValue value = entry.getValue();
      if (value.binaryValue() == null) {
        attributes.put(entry.getKey(), value.stringValue() == null ? "" : value.stringValue());
      } else if (entry.getKey().equals(PAYLOAD)) {
        payload = value.binaryValue().asByteArrayUnsafe();
      }
    }
    Map<MessageSystemAttributeName, String> system = message.attributes();
    return new ReceivedMessage(
        message.receiptHandle(),
        attributes,
        payload == null ? body(message) : payload,
        number(system.get(MessageSystemAttributeName.SENT_TIMESTAMP), 0),
        (int) number(system.get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT), 1));
  }

  private static byte[] body(Message message) {
    String body = message.body();
    return body == null || body.equals(BODY) ? NOTHING : body.getBytes(StandardCharsets.UTF_8);
  }

  /** The size of a received message as SQS counts it. */
  static int countedBytes(Message message) {
    int bytes = message.body() == null ? 0 : message.body().length();
    return bytes + countedBytes(message.messageAttributes());
  }

  /**
   * The size of attributes as SQS counts it: names, types, values. Texts are short and ASCII, so
   * characters equal bytes.
   */
  static int countedBytes(Map<String, MessageAttributeValue> attributes) {
    int bytes = 0;
    for (Map.Entry<String, MessageAttributeValue> entry : attributes.entrySet()) {
      MessageAttributeValue value = entry.getValue();
      bytes += entry.getKey().length() + value.dataType().length();
      if (value.binaryValue() != null) {
        bytes += value.binaryValue().asByteArrayUnsafe().length;
      } else if (value.stringValue() != null) {
        bytes += value.stringValue().length();
      }
    }
    return bytes;
  }

  private static long number(@Nullable String text, long otherwise) {
    return text == null ? otherwise : Long.parseLong(text);
  }
}
