package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection made to another worker's endpoint, read through an {@link AnswerGate}. */
final class CallingSocket extends Socket {
  private final Consumer<CallingSocket> onClose;
  private final RmiSettings settings;
  private @Nullable AnswerGate gate;

  CallingSocket(RmiSettings settings, Consumer<CallingSocket> onClose) {
    this.settings = settings;
    this.onClose = onClose;
  }

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    AnswerGate made = gate;
    if (made == null) {
      made = new AnswerGate(super.getInputStream(), settings);
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
