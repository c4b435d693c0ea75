package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

final class SqsMessagesTest {

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  private static MessageAttributeValue binary(byte... bytes) {
    return MessageAttributeValue.builder()
        .dataType("Binary")
        .binaryValue(SdkBytes.fromByteArray(bytes))
        .build();
  }

  @Test
  void foreign_message_without_a_payload_decodes_to_the_text_of_its_body() {
    Message foreign =
        Message.builder()
            .receiptHandle("h")
            .body("héllo")
            .messageAttributes(
                Map.of(
                    "run", text("r"),
                    "payload", text("not binary"),
                    "picture", binary((byte) 1),
                    "odd", MessageAttributeValue.builder().dataType("Number").build()))
            .build();

    ReceivedMessage message = SqsMessages.decode(foreign);

    assertThat(message.payload()).isEqualTo("héllo".getBytes(UTF_8));
    assertThat(message.attributes())
        .isEqualTo(Map.of("run", "r", "payload", "not binary", "odd", ""));
    assertThat(message.receives()).isEqualTo(1);
    assertThat(message.sentMillis()).isZero();
  }

  @Test
  void foreign_message_without_anything_decodes() {
    ReceivedMessage message =
        SqsMessages.decode(Message.builder().receiptHandle("h").body(".").build());

    assertThat(message.payload()).isEmpty();
    assertThat(message.attributes()).isEmpty();
  }

  @Test
  void encoded_message_is_as_large_as_it_says() {
    OutgoingMessage message =
        new OutgoingMessage(Map.of("run", "r1", "bundle", "r1/e/1"), new byte[60_000]);

    SendMessageBatchRequestEntry entry = SqsMessages.encode(3, message);

    assertThat(entry.id()).isEqualTo("3");
    assertThat(entry.messageBody().length() + SqsMessages.countedBytes(entry.messageAttributes()))
        .isEqualTo(message.countedBytes());
  }

  @Test
  void group_is_sent_as_the_message_group_and_counts() {
    OutgoingMessage message = new OutgoingMessage(Map.of(), new byte[] {1}, "0123456789ab");

    SendMessageBatchRequestEntry entry = SqsMessages.encode(0, message);

    assertThat(entry.messageGroupId()).isEqualTo("0123456789ab");
    assertThat(message.countedBytes())
        .isEqualTo(new OutgoingMessage(Map.of(), new byte[] {1}).countedBytes() + 12);
  }

  @Test
  void message_of_no_group_has_none() {
    OutgoingMessage message = new OutgoingMessage(Map.of(), new byte[] {1});

    assertThat(SqsMessages.encode(0, message).messageGroupId()).isNull();
  }

  @Test
  void payload_that_is_empty_is_left_out() {
    assertThat(
            SqsMessages.encode(0, new OutgoingMessage(Map.of(), new byte[0])).messageAttributes())
        .isEmpty();
  }
}
