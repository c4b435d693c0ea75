package io.cloudkon.hpc.rmi;

import io.cloudkon.hpc.rmi.CallHead.StrangeCallException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The side that is called. Each call's head is read here, its secret looked at, and the number of
 * the exported object put in; only then does RMI see the call, and the rest of it as it comes. A
 * call that is refused is never seen by RMI.
 *
 * <p>A caller that sends a second call before it has the answer to the first gets it past this
 * gate, and nowhere: it cannot know the object's number, which is random and never leaves here.
 */
final class CallGate extends Gate {
  private static final byte[] END = {};

  private enum Place {
    GREETING,
    CALLER,
    BETWEEN,
    WITHIN,
    SHUT
  }

  private final AcceptedSocket socket;
  private final BoundedInput in;
  private final Gatekeeper keeper;
  private final CompletableFuture<byte[]> object;
  private Place place = Place.GREETING;

  CallGate(
      AcceptedSocket socket, InputStream in, Gatekeeper keeper, CompletableFuture<byte[]> object) {
    this.socket = socket;
    this.in = new BoundedInput(socket, in);
    this.keeper = keeper;
    this.object = object;
  }

  /** The answer is on its way: what comes after it is another call. */
  void answered() {
    if (place == Place.WITHIN) {
      place = Place.BETWEEN;
    }
  }

  @Override
  boolean open() {
    return place == Place.WITHIN;
  }

  @Override
  InputStream raw() {
    return in.unbounded();
  }

  @Override
  byte[] next() throws IOException {
    in.begin();
    try {
      return switch (place) {
        case GREETING -> greeting();
        case CALLER -> caller();
        case BETWEEN -> call();
        case WITHIN, SHUT -> END;
      };
    } catch (StrangeCallException e) {
      keeper.reject(socket.peer(), "not a call of a worker of this cluster");
      return refuse();
    }
  }

  private byte[] greeting() throws IOException {
    int first = in.read();
    if (first < 0) {
      return END;
    }
    byte[] rest = in.readNBytes(Jrmp.GREETING.length - 1);
    if (first != Jrmp.GREETING[0]
        || !Arrays.equals(rest, Arrays.copyOfRange(Jrmp.GREETING, 1, Jrmp.GREETING.length))) {
      throw new StrangeCallException();
    }
    place = Place.CALLER;
    return Jrmp.GREETING.clone();
  }

  /** Where the caller thinks it is; RMI reads it and makes no use of it. */
  private byte[] caller() throws IOException {
    DataInputStream data = new DataInputStream(in);
    data.readFully(new byte[data.readUnsignedShort()]);
    data.readInt();
    place = Place.BETWEEN;
    return Jrmp.bytes(out -> {
      out.writeUTF("");
      out.writeInt(0);
    });
  }

  private byte[] call() throws IOException {
    return switch (in.read()) {
      case -1 -> END;
      case Jrmp.PING -> new byte[] {Jrmp.PING};
      case Jrmp.CALL -> admitted();
      default -> throw new StrangeCallException();
    };
  }

  private byte[] admitted() throws IOException {
    CallHead head = CallHead.read(in);
    if (!keeper.admits(socket.peer(), head.gang(), head.secret())) {
      return refuse();
    }
    place = Place.WITHIN;
    return head.forObject(object.join());
  }

  /** Reads on for a while: closed with bytes unread, the connection would swallow the answer. */
  private byte[] refuse() throws IOException {
    place = Place.SHUT;
    socket.answerOnce(Jrmp.REFUSED);
    in.beginNow();
    try {
      in.skip(Long.MAX_VALUE);
    } finally {
      socket.close();
    }
    return END;
  }
}
