package io.cloudkon.hpc.rmi;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An incoming connection to an endpoint, read through a {@link CallGate}. Until a call was admitted
 * it counts as untrusted, and must bring such a call within {@link RmiSettings#admissionMillis}.
 */
final class AcceptedSocket extends Socket {
  private final Identity identity;
  private final Gatekeeper keeper;
  private final CompletableFuture<byte[]> object;
  private final RmiSettings settings;
  private final Owner owner;
  private volatile long deadlineNanos;
  private volatile boolean admitted;
  private final Object making = new Object();
  private @Nullable CallGate gate;
  private @Nullable OutputStream out;

  /** Counts connections. */
  interface Owner {
    /** Called when the first call was admitted over a connection. */
    void admitted(AcceptedSocket socket);

    /** Called when a connection is closed; possibly more than once. */
    void closed(AcceptedSocket socket);
  }

  AcceptedSocket(
      Identity identity,
      Gatekeeper keeper,
      CompletableFuture<byte[]> object,
      RmiSettings settings,
      Owner owner) {
    this.identity = identity;
    this.keeper = keeper;
    this.object = object;
    this.settings = settings;
    this.owner = owner;
  }

  /**
   * Records that a peer has connected, and starts the time for its first call. The socket itself
   * was made before its peer came, perhaps long before.
   */
  void connected() {
    deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.admissionMillis());
  }

  /** The address of the peer that made the connection. */
  String peer() {
    return getInetAddress().getHostAddress();
  }

  /**
   * RMI calls this once, on the thread that then serves the connection, so the handshake may take
   * long.
   */
  @Override
  public InputStream getInputStream() throws IOException {
    synchronized (making) {
      CallGate made = gate;
      if (made == null) {
        BoundedInput bounded = new BoundedInput(this, super.getInputStream());
        InputStream in = bounded;
        out = super.getOutputStream();
        String fingerprint = "";
        if (identity.secure()) {
          SSLSocket tls = handshake(bounded, out);
          in = tls.getInputStream();
          out = tls.getOutputStream();
          fingerprint = Identity.peer(tls);
        }
        made = new CallGate(this, bounded, in, fingerprint, keeper, object);
        gate = made;
      }
      return made;
    }
  }

  private SSLSocket handshake(BoundedInput in, OutputStream plain) throws IOException {
    try {
      return identity.accept(new Beneath(this, in, plain));
    } catch (SocketTimeoutException e) {
      keeper.reject(peer(), "no call in time");
      throw e;
    } catch (SSLException e) {
      keeper.reject(peer(), "TLS handshake failed: " + e.getMessage());
      throw e;
    }
  }

  private OutputStream out() throws IOException {
    var unused = getInputStream();
    return Objects.requireNonNull(out);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    CallGate ours = (CallGate) getInputStream();
    return new FilterOutputStream(out()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ours.answered(Jrmp.fails(bytes, offset, length));
        out.write(bytes, offset, length);
      }
    };
  }

  /** Answers with one byte, after which nothing is sent. */
  void answerOnce(int code) throws IOException {
    out().write(code);
    shutdownOutput();
  }

  /** Ignores RMI's timeout of two hours; each read sets its own. */
  @Override
  public void setSoTimeout(int millis) {}

  /** Records that a call was admitted: the peer is no longer untrusted. */
  void admit() {
    if (!admitted) {
      admitted = true;
      owner.admitted(this);
    }
  }

  /** Whether a call was admitted. */
  boolean isAdmitted() {
    return admitted;
  }

  /** From now on, a read waits as long as a connection may be idle. */
  void waitForNext() throws SocketException, SocketTimeoutException {
    waitAtMost(settings.idleMillis());
  }

  /**
   * From now on, a read waits for the given time, or until the time for the first admitted call is
   * over.
   */
  void waitAtMost(int millis) throws SocketException, SocketTimeoutException {
    int bounded = millis;
    if (!admitted) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (left <= 0) {
        throw new SocketTimeoutException("no call in time");
      }
      bounded = (int) Math.min(millis, left);
    }
    super.setSoTimeout(bounded);
  }

  @Override
  public void close() throws IOException {
    owner.closed(this);
    super.close();
  }
}
