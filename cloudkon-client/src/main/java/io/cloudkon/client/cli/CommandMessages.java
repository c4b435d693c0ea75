package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Printable;
import java.util.OptionalInt;

/**
 * Prints a command's messages to standard error, each line prefixed with the command's name. Thread
 * safe.
 *
 * @param command the command's name, without {@code cloudkon}
 * @param clear is written before each line, to erase a progress line
 */
record CommandMessages(String command, String clear) {
  /** The messages of a command that shows no progress. */
  CommandMessages(String command) {
    this(command, "");
  }

  /**
   * The messages of a command that may show progress.
   *
   * @param columns the width of the progress line; empty if there is none
   */
  static CommandMessages beside(OptionalInt columns, String command) {
    return new CommandMessages(command, columns.isPresent() ? "\r\033[K" : "");
  }

  /** Prints a message on its own line. */
  void say(String line) {
    System.err.println(clear + "cloudkon " + command + ": " + Printable.text(line));
    System.err.flush();
  }
}
