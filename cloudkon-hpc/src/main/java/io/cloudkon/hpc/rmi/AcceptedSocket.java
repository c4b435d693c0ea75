package io.cloudkon.hpc.rmi;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection that somebody made to an endpoint, read through a {@link CallGate}. */
final class AcceptedSocket extends Socket {
  private final Gatekeeper keeper;
  private final CompletableFuture<byte[]> object;
  private final int idleMillis;
  private final Consumer<AcceptedSocket> onClose;
  private @Nullable CallGate gate;

  AcceptedSocket(
      Gatekeeper keeper,
      CompletableFuture<byte[]> object,
      int idleMillis,
      Consumer<AcceptedSocket> onClose) {
    this.keeper = keeper;
    this.object = object;
    this.idleMillis = idleMillis;
    this.onClose = onClose;
  }

  /** Who made it: an address. */
  String peer() {
    return getInetAddress().getHostAddress();
  }

  /** RMI asks once, on the thread that then serves the connection. */
  @Override
  public synchronized InputStream getInputStream() throws IOException {
    CallGate made = gate;
    if (made == null) {
      made = new CallGate(this, super.getInputStream(), keeper, object);
      gate = made;
    }
    return made;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    CallGate ours = (CallGate) getInputStream();
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ours.answered();
        out.write(bytes, offset, length);
      }
    };
  }

  /** One byte, and nothing after it. */
  void answerOnce(int code) throws IOException {
    super.getOutputStream().write(code);
    shutdownOutput();
  }

  /** RMI would wait for two hours. */
  @Override
  public void setSoTimeout(int millis) throws SocketException {
    waitForNext();
  }

  /** From now on a read waits as long as an idle connection may last. */
  void waitForNext() throws SocketException {
    waitAtMost(idleMillis);
  }

  /** From now on a read waits that long. */
  void waitAtMost(int millis) throws SocketException {
    super.setSoTimeout(millis);
  }

  @Override
  public void close() throws IOException {
    onClose.accept(this);
    super.close();
  }
}
