package io.cloudkon.local;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * S3Mock, in a process that is started when somebody first asks for its port, and started anew,
 * empty, after it has ended by itself. Thread-safe.
 */
final class S3Service implements AutoCloseable {
  private final Path jar;
  private final Consumer<String> tell;
  private @Nullable S3Process process;
  private boolean closed;

  /**
   * Starts nothing yet.
   *
   * @param jar what {@code java -jar} starts
   * @param tell takes a line for a person when S3 does not start, or ends by itself
   */
  S3Service(Path jar, Consumer<String> tell) {
    this.jar = jar;
    this.tell = tell;
  }

  /**
   * Where S3Mock answers, on 127.0.0.1; waits until it does.
   *
   * @throws LocalException if it does not start
   */
  int port() {
    return process().port();
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

  /** Ends its process, if there is one, and waits until it is gone with all its files. */
  @Override
  public synchronized void close() {
    closed = true;
    Closing.quietly(process);
  }
}
