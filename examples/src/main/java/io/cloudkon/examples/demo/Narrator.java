package io.cloudkon.examples.demo;

import java.io.PrintStream;

/** Tells a person what goes on, on standard output; lines of at most 80 columns. Thread safe. */
final class Narrator {
  private static final int COLUMNS = 80;

  /** To the line's start, and clear it. */
  private static final String WIPE = "\r\u001b[2K";

  private final PrintStream out;
  private final boolean terminal;

  /**
   * A narrator.
   *
   * @param terminal whether a progress display may stand on the line
   */
  Narrator(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** One statement, broken between words where it is too long. */
  synchronized void say(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > COLUMNS) {
        out.println(line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    out.println(line);
    out.flush();
  }

  /** The same, after an empty line. */
  synchronized void heading(String text) {
    out.println();
    say(text);
  }

  /** The same, while the client draws its progress: that is wiped, and drawn again below. */
  synchronized void overProgress(String text) {
    wipe();
    say(text);
  }

  /** Clears the line of a progress display. */
  synchronized void wipe() {
    if (terminal) {
      out.print(WIPE);
      out.flush();
    }
  }
}
