package io.cloudkon.hpc.rmi;

import io.cloudkon.hpc.rmi.CallHead.StrangeCallException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * The gate of the called side. It reads the head of each call, checks its secret, and inserts the
 * number of the exported object; only then does it pass the call to RMI, followed by the rest as it
 * arrives. A refused call never reaches RMI.
 *
 * <p>RMI never reads ahead, because it gets no byte that it did not request. So the gate also reads
 * the head of a second call that is sent before the answer to the first, and such a call cannot
 * reach the JVM's own objects, such as its distributed garbage collector, whose object number is
 * public.
 */
final class CallGate extends RmiGate {
  private static final byte[] END = {};

  /**
   * The permitted number of pings between two calls. RMI sends one before it reuses a connection.
   */
  private static final int PINGS = 8;

  private enum Place {
    GREETING,
    CALLER,
    BETWEEN,
    WITHIN,
    SHUT
  }

  private final AcceptedSocket socket;
  private final BoundedInput bounded;
  private final InputStream in;
  private final String fingerprint;
  private final Gatekeeper keeper;
  private final CompletableFuture<byte[]> object;
  private Place place = Place.GREETING;

  /**
   * Whether the last call failed. What follows may then be the rest of that call, which was already
   * counted.
   */
  private boolean lastFailed;

  /** The number of pings since the last call. */
  private int pings;

  /**
   * A gate that has read nothing yet.
   *
   * @param bounded the input from which {@code in} reads
   * @param fingerprint the fingerprint of the caller's certificate; empty without TLS
   */
  CallGate(
      AcceptedSocket socket,
      BoundedInput bounded,
      InputStream in,
      String fingerprint,
      Gatekeeper keeper,
      CompletableFuture<byte[]> object) {
    this.fingerprint = fingerprint;
    this.socket = socket;
    this.bounded = bounded;
    this.in = new BufferedInputStream(in);
    this.keeper = keeper;
    this.object = object;
  }

  /**
   * Records that the answer is being sent. What follows is another call, or the rest of a call
   * whose content was refused.
   *
   * @param failed whether the answer is an exception
   */
  void answered(boolean failed) {
    if (place == Place.WITHIN) {
      place = Place.BETWEEN;
      lastFailed = failed;
    }
  }

  /** Returns true so that RMI adds no buffer of its own, which would read ahead. */
  @Override
  public boolean markSupported() {
    return true;
  }

  @Override
  boolean open() {
    return place == Place.WITHIN;
  }

  @Override
  InputStream raw() {
    return in;
  }

  @Override
  byte[] next() throws IOException {
    bounded.begin();
    try {
      return switch (place) {
        case GREETING -> greeting();
        case CALLER -> caller();
        case BETWEEN -> call();
        case WITHIN, SHUT -> END;
      };
    } catch (StrangeCallException e) {
      if (!lastFailed) {
        keeper.reject(socket.peer(), "not a call of a worker of this cluster");
      }
      return refuse();
    } catch (SocketTimeoutException e) {
      if (!socket.isAdmitted()) {
        keeper.reject(socket.peer(), "no call in time");
      }
      throw e;
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

  /** The caller's own address, which RMI reads but does not use. */
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
      case Jrmp.PING -> ping();
      case Jrmp.CALL -> admitted();
      default -> throw new StrangeCallException();
    };
  }

  private byte[] ping() throws StrangeCallException {
    pings++;
    if (!socket.isAdmitted() || pings > PINGS) {
      throw new StrangeCallException();
    }
    return new byte[] {Jrmp.PING};
  }

  private byte[] admitted() throws IOException {
    CallHead head = CallHead.read(in);
    Caller caller = new Caller(head.secret(), fingerprint);
    if (!keeper.knows(socket.peer(), head.gang(), caller)) {
      return refuse();
    }
    place = Place.WITHIN;
    pings = 0;
    socket.admit();
    bounded.free();
    return head.forObject(object.join());
  }

  /**
   * Continues to read for a while: if the connection were closed with unread bytes, the answer
   * would be lost.
   */
  private byte[] refuse() throws IOException {
    place = Place.SHUT;
    socket.answerOnce(Jrmp.REFUSED);
    bounded.beginNow();
    try {
      bounded.skip(Long.MAX_VALUE);
    } finally {
      socket.close();
    }
    return END;
  }
}
