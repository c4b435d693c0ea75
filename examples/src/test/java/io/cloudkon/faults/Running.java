package io.cloudkon.faults;

import io.cloudkon.core.testing.ThreadDumps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process that was started here. Closed, it is killed. */
public final class Running implements AutoCloseable {
  private final Process process;
  private final Path out;
  private final Path err;

  Running(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  boolean alive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Where its standard error is kept. */
  Path errors() {
    return err;
  }

  /** Fails if it has ended, with what it wrote. */
  void requireAlive() {
    if (!alive()) {
      throw new AssertionError("ended by %d: %s".formatted(process.exitValue(), stderr()));
    }
  }

  /** Sends it a signal: {@code STOP}, {@code CONT}, {@code INT}, {@code TERM}. */
  void signal(String signal) {
    Processes.signal(process.toHandle(), signal);
  }

  /** SIGKILL; returns when it is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Waits for its end, for so long at most, and gives its exit code. */
  public int awaitExit(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new AssertionError(
          "%s still runs after %s; threads: %s; it wrote: %s"
              .formatted(
                  process.info().commandLine().orElse("it"),
                  limit,
                  ThreadDumps.ofThisAndChildren(),
                  stderr()));
    }
    return process.exitValue();
  }

  public String stdout() {
    return text(out);
  }

  public String stderr() {
    return text(err);
  }

  /** All that it has printed so far. */
  public String said() {
    return stdout() + stderr();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
