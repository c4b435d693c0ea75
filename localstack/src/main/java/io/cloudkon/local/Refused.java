package io.cloudkon.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Refuses requests in the format of a service, without passing them to the service. */
enum Refused {
  JSON("application/x-amz-json-1.0") {
    @Override
    String body(String code, String reason) {
      try {
        return MAPPER.writeValueAsString(Map.of("__type", code, "message", reason));
      } catch (JsonProcessingException e) {
        throw new AssertionError("text is always JSON", e);
      }
    }
  },
  XML("application/xml") {
    @Override
    String body(String code, String reason) {
      return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>%s</Code><Message>%s</Message></Error>
      """
          .formatted(code, escaped(reason));
    }
  };

  /** The services' error code for unknown credentials. */
  static final String UNKNOWN_KEY = "UnrecognizedClientException";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The most bytes of a refused request that are read, so that its client receives the answer. */
  private static final long MOST_READ = 64L << 20;

  final String contentType;

  Refused(String contentType) {
    this.contentType = contentType;
  }

  abstract String body(String code, String reason);

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Answers with 403 and reads the rest of the request; the caller closes the connection. */
  void unknown(SocketChannel client, String reason) {
    answer(client, "403 Forbidden", UNKNOWN_KEY, reason);
  }

  /** Answers with 503 and reads the rest of the request; the caller closes the connection. */
  void unavailable(SocketChannel client, String reason) {
    answer(client, "503 Service Unavailable", "ServiceUnavailable", reason);
  }

  /**
   * The whole response.
   *
   * @param header a header beside those of the body
   */
  ByteBuffer response(String status, String header, String code, String reason) {
    byte[] body = body(code, reason).getBytes(StandardCharsets.UTF_8);
    String head =
        String.join(
            "\r\n",
            "HTTP/1.1 " + status,
            "Content-Type: " + contentType,
            "Content-Length: " + body.length,
            header,
            "",
            "");
    byte[] begin = head.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(begin.length + body.length).put(begin).put(body).flip();
  }

  private void answer(SocketChannel client, String status, String code, String reason) {
    try {
      RelayedConnection.write(client, response(status, "Connection: close", code, reason));
      client.shutdownOutput();
      ByteBuffer unread = ByteBuffer.allocate(RelayedConnection.BUFFER_BYTES);
      for (long read = 0; read >= 0 && read < MOST_READ; ) {
        int more = client.read(unread.clear());
        read = more < 0 ? -1 : read + more;
      }
    } catch (IOException e) {
      // the client is gone
    }
  }
}
