package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PendingRequestTest {
  private static final String POLL =
      "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\n"
          + "Content-Type: application/x-amz-json-1.0\r\n\r\n{\"QueueUrl\":\"http://q\"}";

  private final PendingRequest pending = new PendingRequest();

  private void send(String text) {
    pending.sent(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void poll_until_it_is_answered_is_open_and_names_its_queue() {
    send(POLL);
    assertThat(pending.isOpen()).isTrue();
    assertThat(pending.polledQueue()).contains("http://q");
    assertThat(pending.answered()).isTrue();
    assertThat(pending.isOpen()).isFalse();
    assertThat(pending.answered()).isFalse();
    send(POLL);
    assertThat(pending.isOpen()).isTrue();
  }

  @Test
  void connection_of_an_open_poll_stays_open_for_the_messages_to_be_handed_back() {
    send(POLL);
    assertThat(pending.leave()).isFalse();
    assertThat(pending.isClientGone()).isTrue();
  }

  @Test
  void connection_stays_open_while_the_answer_to_a_poll_is_on_its_way_to_the_client() {
    send(POLL);
    assertThat(pending.answered()).isTrue();

    assertThat(pending.leave()).isFalse();

    assertThat(pending.delivered()).as("the client is gone").isTrue();
  }

  @Test
  void connection_is_closed_at_once_if_no_poll_is_open() {
    assertThat(new PendingRequest().leave()).isTrue();

    send(POLL);
    assertThat(pending.answered()).isTrue();
    assertThat(pending.delivered()).isFalse();
    assertThat(pending.leave()).isTrue();
  }

  @Test
  void connection_of_another_request_is_closed_at_once() {
    send(POLL.replace("ReceiveMessage", "SendMessage"));
    assertThat(pending.leave()).isTrue();
  }

  @Test
  void next_request_may_begin_before_the_delivery_of_the_answer_is_recorded() {
    send(POLL);
    assertThat(pending.answered()).isTrue();
    send(POLL);
    assertThat(pending.delivered()).isFalse();
    assertThat(pending.isOpen()).isTrue();
  }

  @Test
  void poll_that_comes_in_pieces_counts_once_it_is_complete() {
    send(POLL.substring(0, 30));
    send(POLL.substring(30, POLL.length() - 3));
    assertThat(pending.polledQueue()).isEmpty();
    send(POLL.substring(POLL.length() - 3));
    assertThat(pending.polledQueue()).contains("http://q");
  }

  @Test
  void other_action_is_no_poll() {
    send(POLL.replace("ReceiveMessage", "SendMessage"));
    assertThat(pending.polledQueue()).isEmpty();
  }

  @Test
  void poll_in_a_body_is_no_poll() {
    send("POST / HTTP/1.1\r\nHost: h\r\n\r\n" + POLL);
    assertThat(pending.polledQueue()).isEmpty();
  }

  @Test
  void request_longer_than_a_poll_is_none() {
    send(POLL);
    send(" ".repeat(10_000));
    assertThat(pending.polledQueue()).isEmpty();
  }

  @Test
  void noting_bytes_leaves_the_buffer_to_be_sent() {
    ByteBuffer buffer = ByteBuffer.wrap(POLL.getBytes(StandardCharsets.UTF_8));
    pending.sent(buffer);
    assertThat(buffer.remaining()).isEqualTo(POLL.length());
  }
}
