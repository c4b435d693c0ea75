package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * Admits a connection by its first request. Later requests come from the same program, except in a
 * browser, where pages share connections; but a browser's requests are never admitted.
 *
 * @param refused the format of the service's refusals
 */
record Gate(Access access, Refused refused) {

  /**
   * Waits for the first request.
   *
   * @param begun receives the bytes that were read, ready to be read from
   * @return false if the connection is refused; a refusal was then sent, unless there was no
   *     complete request
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
