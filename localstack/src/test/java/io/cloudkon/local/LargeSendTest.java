package io.cloudkon.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LargeSendTest {
  private static final int LIMIT = 1024 * 1024;

  private SocketChannel client;
  private SocketChannel relay;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel listener = Loopback.listen("test", 0)) {
      client = Loopback.connect(listener.socket().getLocalPort());
      relay = listener.accept();
    }
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    relay.close();
  }

  private static String request(String action, String body) {
    return "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: %d\r\nX-Amz-Target: AmazonSQS.%s\r\n\r\n%s"
        .formatted(body.length(), action, body);
  }

  private static String message(int length) {
    return "{\"QueueUrl\":\"http://q\",\"MessageBody\":\"%s\"}".formatted("x".repeat(length));
  }

  /** The relay has read {@code first}; the client sends {@code rest}, and leaves. */
  private Optional<LargeSend> begunBy(String first, String rest) throws IOException {
    ByteBuffer begun = ByteBuffer.allocate(RelayedConnection.BUFFER_BYTES);
    begun.put(first.getBytes(UTF_8)).flip();
    Thread unused =
        Thread.startVirtualThread(() -> {
          try {
            RelayedConnection.write(client, ByteBuffer.wrap(rest.getBytes(UTF_8)));
            client.shutdownOutput();
          } catch (IOException e) {
            // the relay reads no more
          }
        });
    Optional<LargeSend> large = LargeSend.begunBy(begun, relay);
    if (large.isPresent()) {
      assertThat(UTF_8.decode(large.get().request().duplicate()).toString())
          .isEqualTo(first + rest);
    }
    return large;
  }

  @Test
  void request_whose_head_comes_in_pieces_is_measured() throws Exception {
    String request = request("SendMessage", message(LIMIT + 1));

    LargeSend large = begunBy(request.substring(0, 30), request.substring(30)).orElseThrow();

    assertThat(UTF_8.decode(large.refusal().orElseThrow()).toString())
        .startsWith("HTTP/1.1 400 ")
        .contains("InvalidParameterValue", "Message must be shorter than 1048576 bytes");
  }

  @Test
  void message_of_one_mebibyte_is_not_refused() throws Exception {
    String request = request("SendMessage", message(LIMIT));

    assertThat(begunBy(request.substring(0, 200), request.substring(200)).orElseThrow().refusal())
        .isEmpty();
  }

  @Test
  void body_that_is_no_json_is_left_to_the_service() throws Exception {
    String request = request("SendMessageBatch", "x".repeat(LIMIT + 1));

    assertThat(begunBy(request.substring(0, 200), request.substring(200)).orElseThrow().refusal())
        .isEmpty();
  }

  @Test
  void other_requests_are_not_read_any_further() throws Exception {
    String other = request("ChangeMessageVisibilityBatch", message(LIMIT + 1));
    assertThat(begunBy(other.substring(0, 1_000), "")).isEmpty();
  }

  @Test
  void shorter_requests_are_not_read_any_further() throws Exception {
    String shorter = request("SendMessage", message(LIMIT / 2));
    assertThat(begunBy(shorter.substring(0, 1_000), "")).isEmpty();
  }

  @Test
  void client_that_leaves_in_the_midst_ends_the_connection() {
    String request = request("SendMessage", message(LIMIT + 1));
    assertThatThrownBy(() -> begunBy(request.substring(0, 1_000), "x"))
        .isInstanceOf(EOFException.class);
  }
}
