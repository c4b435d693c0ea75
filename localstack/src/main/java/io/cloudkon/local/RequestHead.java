package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The head of the first request of a connection.
 *
 * @param query the query of the request's target; null if there is none
 * @param headers the values by the name in lower case; several values of a name are joined by
 *     commas
 */
record RequestHead(@Nullable String query, Map<String, String> headers) {
  private static final String END = "\r\n\r\n";

  /**
   * Reads until the head is complete.
   *
   * @param begun receives all bytes that were read, possibly more than the head, ready to be read
   *     from
   * @return null if the client left before, or if the head does not fit
   */
  static @Nullable RequestHead read(SocketChannel client, ByteBuffer begun) throws IOException {
    begun.clear();
    while (begun.hasRemaining()) {
      if (client.read(begun) < 0) {
        return null;
      }
      byte[] soFar = new byte[begun.position()];
      begun.get(0, soFar);
      String text = new String(soFar, StandardCharsets.ISO_8859_1);
      int end = text.indexOf(END);
      if (end >= 0) {
        begun.flip();
        return parse(text.substring(0, end));
      }
    }
    return null;
  }

  static RequestHead parse(String head) {
    List<String> lines = head.lines().toList();
    String[] start = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", 3);
    int mark = start.length < 2 ? -1 : start[1].indexOf('?');
    return new RequestHead(
        mark < 0 ? null : start[1].substring(mark + 1),
        lines.stream()
            .skip(1)
            .filter(line -> line.indexOf(':') > 0)
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.indexOf(':')).strip().toLowerCase(Locale.ROOT),
                    line -> line.substring(line.indexOf(':') + 1).strip(),
                    (one, two) -> one + ',' + two,
                    TreeMap::new)));
  }

  @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }
}
