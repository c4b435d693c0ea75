package io.cloudkon.hpc.rank;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The collective call to which a message belongs. It lets ranks detect that they do not make the
 * same calls, and prevents a rank from using the message of another call.
 *
 * @param number how many collective calls this rank made before
 * @param kind the kind of call
 * @param root the rank at its root; 0 if the call has none
 */
record Collective(int number, Kind kind, int root) {
  private static final int HEADER_BYTES = Integer.BYTES + 1 + Integer.BYTES;

  /** The kinds of collective calls. */
  enum Kind {
    BARRIER(0, "barrier"),
    BROADCAST(1, "broadcast"),
    REDUCE(2, "reduce"),
    ALL_REDUCE(3, "allReduce"),
    GATHER(4, "gather");

    private final byte code;
    private final String call;

    Kind(int code, String call) {
      this.code = (byte) code;
      this.call = call;
    }

    private static Kind of(byte code) {
      return Arrays.stream(values())
          .filter(kind -> kind.code == code)
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("there is no collective call of code " + code));
    }
  }

  byte[] wrap(byte[] body) {
    return ByteBuffer.allocate(HEADER_BYTES + body.length)
        .putInt(number)
        .put(kind.code)
        .putInt(root)
        .put(body)
        .array();
  }

  /** Returns the body of a message, which must belong to this call. */
  byte[] unwrap(int rank, int from, byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message);
    Collective other = new Collective(in.getInt(), Kind.of(in.get()), in.getInt());
    if (!equals(other)) {
      throw new IllegalStateException(
          ("rank %d is in its collective call %s and rank %d in %s:"
                  + " every rank must make the same calls in the same order")
              .formatted(rank, this, from, other));
    }
    return Arrays.copyOfRange(message, HEADER_BYTES, message.length);
  }

  @Override
  public String toString() {
    return "%d, %s with root %d".formatted(number, kind.call, root);
  }
}
