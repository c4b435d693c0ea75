package io.cloudkon.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Another user who sees the port on which ElasticMQ listens, and is quicker, gets nothing. */
class SqsServerTest {
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final List<Socket> strangers = new ArrayList<>();
  private SqsServer server;

  private void start(IntConsumer bound) {
    server = new SqsServer(4100, LIMIT, bound);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    for (Socket stranger : strangers) {
      stranger.close();
    }
  }

  private static String request(String action, String body) {
    return String.join(
        "\r\n",
        "POST / HTTP/1.1",
        "Host: 127.0.0.1",
        "X-Amz-Target: AmazonSQS." + action,
        "Content-Type: application/x-amz-json-1.0",
        "Content-Length: " + body.length(),
        "",
        body);
  }

  private Socket strangerAt(int port) {
    try {
      Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), port);
      stranger.setSoTimeout(60_000);
      strangers.add(stranger);
      String evil = request("CreateQueue", "{\"QueueName\":\"evil\"}");
      stranger.getOutputStream().write(evil.getBytes(US_ASCII));
      return stranger;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All that it is sent until it is disconnected. */
  private static String readToTheEnd(Socket stranger) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try {
      stranger.getInputStream().transferTo(read);
    } catch (SocketException e) {
      // a connection that is reset has ended, too
    }
    return read.toString(US_ASCII);
  }

  private String queues() throws IOException {
    try (SocketChannel ours = server.connect()) {
      Socket socket = ours.socket();
      socket.getOutputStream().write(request("ListQueues", "{}").getBytes(US_ASCII));
      byte[] answer = new byte[4096];
      StringBuilder text = new StringBuilder();
      while (!text.toString().contains("\r\n\r\n") || !text.toString().endsWith("}")) {
        int read = socket.getInputStream().read(answer);
        assertThat(read).as("of the answer after: " + text).isPositive();
        text.append(new String(answer, 0, read, US_ASCII));
      }
      return text.toString();
    }
  }

  @Test
  void stranger_that_takes_a_place_and_stays_is_answered_nothing_and_disconnected()
      throws Exception {
    start(port -> {
      if (strangers.isEmpty()) {
        Socket unused = strangerAt(port);
      }
    });

    server.prepare();

    assertThat(readToTheEnd(strangers.getFirst())).doesNotContain("200 OK", "QueueUrl");
    assertThat(queues()).contains("200 OK").doesNotContain("evil");
  }

  @Test
  void stranger_that_comes_and_goes_before_the_listening_ends_has_done_nothing() throws Exception {
    start(port -> {
      try (Socket stranger = strangerAt(port)) {
        assertThat(stranger.getInputStream().read()).isPositive();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });

    server.prepare();

    assertThat(queues()).contains("200 OK").doesNotContain("evil");
  }
}
