package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * Lets a connection in by its first request. Those after it come from the same program, as a
 * connection has one at its end; a browser, where pages share one, gets none in.
 *
 * @param refused how the service behind it answers who stays outside
 */
record Gate(Access access, Refused refused) {

  /**
   * Waits for the first request.
   *
   * @param begun gets what was read, ready to be read from
   * @return false if it may not come in, and has been told so
   */
  boolean admits(SocketChannel client, ByteBuffer begun) throws IOException {
    RequestHead head = RequestHead.read(client, begun);
    if (head == null) {
      return false;
    }
    Optional<String> refusal = access.refusal(head::header, head.query());
    refusal.ifPresent(reason -> refused.unknown(client, reason));
    return refusal.isEmpty();
  }
}
