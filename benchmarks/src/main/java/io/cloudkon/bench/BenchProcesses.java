package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.ChildEnvironment;
import io.cloudkon.core.process.Descendants;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Starts the processes of benchmarks. Each gets the environment of this process without the user's
 * options and AWS settings, so that defaults are measured. Once {@link #end} was called, nothing
 * can be started any more. Thread safe.
 */
final class BenchProcesses {
  /** The time for an emulator to remove its files. A worker may need more, without an emulator. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static boolean ended;

  private BenchProcesses() {}

  /**
   * Starts a process.
   *
   * @param environment added to that of this process
   * @throws CloudKonException if this process is ending
   */
  static Process start(ProcessBuilder builder, Map<String, String> environment) throws IOException {
    ChildEnvironment.isolate(builder.environment(), environment);
    LOCK.lock();
    try {
      if (ended) {
        throw new CloudKonException(
            "%s is not started: the benchmark is ending".formatted(builder.command().getFirst()));
      }
      return builder.start();
    } finally {
      LOCK.unlock();
    }
  }

  /** Ends every process below this one, for good: for a hook of a process that ends. */
  static void end() {
    LOCK.lock();
    try {
      ended = true;
    } finally {
      LOCK.unlock();
    }
    Descendants.end(GRACE);
  }
}
