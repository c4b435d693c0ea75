package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Printable;

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

  /** Prints a message on its own line. */
  void say(String line) {
    System.err.println(clear + "cloudkon " + command + ": " + Printable.text(line));
    System.err.flush();
  }
}
