package io.cloudkon.local;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * S3Mock in a process that is started when it is first needed. If it has ended by itself, the next
 * request starts it again, empty. Thread-safe.
 */
final class S3Service implements AutoCloseable {
  private final Path jar;
  private final Consumer<String> tell;
  private @Nullable S3Process process;
  private boolean closed;

  /**
   * Creates the service; starts nothing yet.
   *
   * @param jar the jar for {@code java -jar}
   * @param tell receives a message for the user if S3 does not start or ends by itself
   */
  S3Service(Path jar, Consumer<String> tell) {
    this.jar = jar;
    this.tell = tell;
  }

  /**
   * Connects to S3Mock; waits until S3Mock answers.
   *
   * @throws LocalException if it does not start
   */
  SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(process().socket()));
  }

  private synchronized S3Process process() {
    if (closed) {
      throw new LocalException("The emulator is ending.");
    }
    if (process == null || !process.isAlive()) {
      process = S3Process.spawn(jar, tell);
    }
    return process;
  }

  /** Ends the process, if there is one, and waits until it and its files are gone. */
  @Override
  public synchronized void close() {
    closed = true;
    Closing.quietly(process);
  }
}
