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
 * The side that is called. Each call's head is read here, its secret looked at, and the number of
 * the exported object put in; only then does RMI see the call, and the rest of it as it comes. A
 * call that is refused is never seen by RMI.
 *
 * <p>RMI never reads ahead: it gets no byte that it did not ask for. So a second call that is sent
 * before the answer to the first has its head read here like any other, and reaches no object of
 * the JVM's own either, such as its distributed garbage collector, whose number anybody knows.
 */
final class CallGate extends RmiGate {
  private static final byte[] END = {};

  /** RMI asks for one sign of life before it uses a connection again. */
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

  /** Then what follows may be what is left of it, which has been counted. */
  private boolean lastFailed;

  /** Since the last call. */
  private int pings;

  /**
   * Nothing was read yet.
   *
   * @param bounded what {@code in} is read from
   * @param fingerprint of the caller's certificate; empty without TLS
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
   * The answer is on its way: what comes after it is another call, or what is left of one whose
   * content was refused.
   *
   * @param failed whether it is an exception
   */
  void answered(boolean failed) {
    if (place == Place.WITHIN) {
      place = Place.BETWEEN;
      lastFailed = failed;
    }
  }

  /** Said so that RMI puts no buffer of its own in front, which would read ahead; see the test. */
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

  /** Reads on for a while: closed with bytes unread, the connection would swallow the answer. */
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
