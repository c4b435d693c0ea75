package io.cloudkon.local;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * S3Mock in a process that is started when it is first needed. If it has ended by itself, the next
 * request starts it again, empty. Thread-safe.
 */
final class S3Service implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(20);

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
   * @throws LocalException if it does not start, or takes no connection within 30 s
   */
  SocketChannel connect() {
    S3Process running = process();
    return connect(running.socket(), running::isAlive, CONNECT_LIMIT);
  }

  /**
   * Connects to a socket, again and again while its process lives: a connection above those that
   * may wait to be accepted is refused at once.
   *
   * @throws LocalException if the process has ended, or the time is over
   */
  static SocketChannel connect(Path socket, BooleanSupplier alive, Duration limit) {
    long begun = System.nanoTime();
    while (true) {
      try {
        return SocketChannel.open(UnixDomainSocketAddress.of(socket));
      } catch (IOException e) {
        if (!alive.getAsBoolean() || System.nanoTime() - begun >= limit.toNanos()) {
          throw new LocalException("S3 takes no connection (%s); try again.".formatted(e), e);
        }
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalException("Interrupted while connecting to S3.", e);
    }
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
