package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Printable;

/**
 * Prints a command's messages to standard error, each line behind the command's name. Thread safe.
 *
 * @param command its name, without {@code cloudkon}
 * @param clear written before each line, where a progress line may stand
 */
record CommandMessages(String command, String clear) {
  /** Of a command that shows no progress. */
  CommandMessages(String command) {
    this(command, "");
  }

  /** Says it on a line of its own. */
  void say(String line) {
    System.err.println(clear + "cloudkon " + command + ": " + Printable.text(line));
    System.err.flush();
  }
}
