package io.cloudkon.local;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The answer in place of an S3 that cannot be started, in S3's own form. */
final class S3Refusal {
  private S3Refusal() {}

  /** A whole HTTP answer that carries {@code reason} as S3 carries its messages. */
  static String of(@Nullable String reason) {
    String body =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>ServiceUnavailable</Code><Message>%s</Message></Error>
        """
            .formatted(escaped(String.valueOf(reason)));
    return String.join(
        "\r\n",
        "HTTP/1.1 503 Service Unavailable",
        "Content-Type: application/xml",
        "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length,
        "Connection: close",
        "",
        body);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
