package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** An outgoing connection to another worker's endpoint, read through an {@link AnswerGate}. */
final class CallingSocket extends Socket {
  private final Consumer<CallingSocket> onClose;
  private final RmiSettings settings;
  private @Nullable AnswerGate gate;
  private @Nullable SSLSocket tls;

  CallingSocket(RmiSettings settings, Consumer<CallingSocket> onClose) {
    this.settings = settings;
    this.onClose = onClose;
  }

  /** Starts TLS on the connected socket; returns when the other side has authenticated itself. */
  void secure(SSLSocketFactory factory, String host, int port) throws IOException {
    Beneath beneath = new Beneath(this, super.getInputStream(), super.getOutputStream());
    tls = Identity.call(factory, beneath, host, port);
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return tls == null ? super.getOutputStream() : tls.getOutputStream();
  }

  @Override
  public InputStream getInputStream() throws IOException {
    AnswerGate made = gate;
    if (made == null) {
      made = new AnswerGate(tls == null ? super.getInputStream() : tls.getInputStream(), settings);
      gate = made;
    }
    return made;
  }

  @Override
  public void close() throws IOException {
    onClose.accept(this);
    super.close();
  }
}
