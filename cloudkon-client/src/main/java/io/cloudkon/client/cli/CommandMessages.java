package io.cloudkon.client.cli;

import io.cloudkon.client.report.Terminal;
import io.cloudkon.core.cli.Printable;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Prints a command's messages to standard error, each prefixed with the command's name, and broken
 * between words on a terminal. Thread safe.
 *
 * @param command the command's name, without {@code cloudkon}
 * @param clear is written before each message, to erase a progress line
 * @param columns the terminal's width; empty if there is none
 */
record CommandMessages(String command, String clear, Supplier<OptionalInt> columns) {
  private static final Duration CLEARING = Duration.ofMillis(200);

  /** The width, which only a command with a message asks for: that starts a process. */
  private static final class Width {
    static final OptionalInt COLUMNS = Terminal.columns(System.getenv());
  }

  /** The messages of a command that shows no progress. */
  CommandMessages(String command) {
    this(command, "", () -> Width.COLUMNS);
  }

  /**
   * The messages of a command that may show progress.
   *
   * @param columns the width of the progress line; empty if there is none
   */
  static CommandMessages beside(OptionalInt columns, String command) {
    return new CommandMessages(command, columns.isPresent() ? "\r\033[K" : "", () -> columns);
  }

  /** Prints a message on its own line. */
  void say(String line) {
    String text = "cloudkon " + command + ": " + Printable.text(line);
    OptionalInt most = columns.get();
    System.err.println(clear + (most.isPresent() ? WrappedText.of(text, most.getAsInt()) : text));
    System.err.flush();
  }

  /** Erases a progress line. */
  void clearLine() {
    if (!clear.isEmpty()) {
      System.err.print(clear);
      System.err.flush();
    }
  }

  /** Erases a progress line; returns soon even if nobody reads standard error. */
  void clearLineSoon() throws InterruptedException {
    boolean unused =
        Thread.ofPlatform().daemon().name("cloudkon-clear").start(this::clearLine).join(CLEARING);
  }
}
