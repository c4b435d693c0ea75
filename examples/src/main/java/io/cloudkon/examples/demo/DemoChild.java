package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A process that the demo started, and what it printed so far: few lines, as these are quiet. A
 * thread of its own reads them until the process ends. Thread safe.
 */
final class DemoChild {
  /** Lines kept of a process that is not quiet after all. */
  private static final int KEPT = 1000;

  private final String name;
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;
  private boolean ended;

  DemoChild(String name, Process process) {
    this.name = name;
    this.process = process;
    this.reader = Thread.ofVirtual().name("output of " + name).start(this::read);
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      String line;
      while ((line = output.readLine()) != null) {
        keep(line);
      }
    } catch (IOException e) {
      keep("its output broke off: " + e.getMessage());
    } finally {
      end();
    }
  }

  private synchronized void keep(String line) {
    if (lines.size() < KEPT) {
      lines.add(line);
      notifyAll();
    }
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** The name by which people know it. */
  String name() {
    return name;
  }

  /** The process itself. */
  Process process() {
    return process;
  }

  /**
   * Waits for a line, and gives all until then.
   *
   * @throws CloudKonException if the process ends before, or takes too long; with what it printed
   */
  synchronized List<String> awaitLine(Predicate<String> wanted, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<String> found = lines.stream().filter(wanted).findFirst();
      if (found.isPresent()) {
        return List.copyOf(lines);
      }
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (ended || millis <= 0) {
        String why = ended ? "ended while it was starting" : "was not ready within " + limit;
        throw new CloudKonException("%s %s; it said: %s".formatted(name, why, said()));
      }
      wait(millis);
    }
  }

  /** Waits for its end, and gives its exit code. */
  int awaitEnd() throws InterruptedException {
    int code = process.waitFor();
    reader.join();
    return code;
  }

  /** The lines that it has printed so far. */
  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** The last lines that it printed, as one. */
  synchronized String said() {
    return lines.isEmpty()
        ? "nothing"
        : String.join(" / ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  /** All that it printed. */
  synchronized String output() {
    return String.join("\n", lines);
  }
}
