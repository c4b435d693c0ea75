package io.cloudkon.hpc.rank;

import io.cloudkon.core.error.CloudKonException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Combines several messages into one, each preceded by its length. */
final class Parcel {
  private Parcel() {}

  static byte[] pack(List<byte[]> messages) {
    long total = messages.stream().mapToLong(m -> Integer.BYTES + m.length).sum();
    if (total > Integer.MAX_VALUE) {
      throw new CloudKonException(
          "%d messages of %d bytes in all are too large to be gathered; gather in parts"
              .formatted(messages.size(), total));
    }
    ByteBuffer out = ByteBuffer.allocate((int) total);
    messages.forEach(message -> out.putInt(message.length).put(message));
    return out.array();
  }

  static List<byte[]> unpack(byte[] parcel) {
    List<byte[]> messages = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(parcel);
    while (in.hasRemaining()) {
      byte[] message = new byte[in.getInt()];
      in.get(message);
      messages.add(message);
    }
    return messages;
  }
}
