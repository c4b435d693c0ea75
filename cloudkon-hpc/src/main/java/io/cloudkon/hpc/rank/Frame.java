package io.cloudkon.hpc.rank;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A message between two ranks: 8 bytes for the number, 1 byte for the channel, then the body.
 *
 * @param number its place among all frames from this sender to this receiver, from 0
 * @param channel the kind of message
 * @param body the message; never written to
 */
record Frame(long number, Channel channel, byte[] body) {
  static final int HEADER_BYTES = Long.BYTES + 1;

  byte[] encode() {
    return ByteBuffer.allocate(HEADER_BYTES + body.length)
        .putLong(number)
        .put(channel.code())
        .put(body)
        .array();
  }

  static Frame decode(int from, byte[] bytes) {
    if (bytes.length < HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a frame from rank %d has %d bytes, its header alone has %d"
              .formatted(from, bytes.length, HEADER_BYTES));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long number = in.getLong();
    byte code = in.get();
    Channel channel =
        Channel.of(code)
            .filter(c -> number >= 0)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "a frame from rank %d has number %d and channel %d, which do not exist"
                        .formatted(from, number, code)));
    return new Frame(number, channel, Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length));
  }
}
