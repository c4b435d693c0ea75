package io.cloudkon.core.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Reads what a process writes, so that it never waits for a full pipe, and keeps the end of it.
 * Thread-safe.
 */
final class ProcessOutput {
  private static final int LINES_KEPT = 50;
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final Deque<String> lines = new ArrayDeque<>();
  private final Thread reader;

  private ProcessOutput(BufferedReader output) {
    this.reader = Thread.ofPlatform().daemon().name("process-output").unstarted(() -> read(output));
  }

  /** Begins to read; stops by itself at the end of the output. */
  static ProcessOutput of(BufferedReader output) {
    ProcessOutput kept = new ProcessOutput(output);
    kept.reader.start();
    return kept;
  }

  private void read(BufferedReader output) {
    try (output) {
      String line;
      while ((line = output.readLine()) != null) {
        keep(line);
      }
    } catch (IOException e) {
      keep("(" + e.getMessage() + ")"); // the process was killed while it was being read
    }
  }

  private synchronized void keep(String line) {
    lines.addLast(line);
    if (lines.size() > LINES_KEPT) {
      lines.removeFirst();
    }
  }

  /** The last lines of a process that has ended, or is about to. */
  String wholeText() {
    try {
      reader.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return String.join("\n", lines);
    }
  }
}
