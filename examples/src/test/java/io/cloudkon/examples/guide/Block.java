package io.cloudkon.examples.guide;

import java.util.Optional;

/**
 * A fenced block of a page.
 *
 * @param line where its fence stands, from 1
 * @param kind by the word behind the fence
 * @param text its lines, each with its line end
 * @param notRun why it is neither run nor compared
 * @param needs the program without which it cannot be run
 * @param exitCode of its commands
 * @param exact whether numbers, too, must be those that are printed
 */
record Block(
    int line,
    Kind kind,
    String text,
    Optional<String> notRun,
    Optional<String> needs,
    int exitCode,
    boolean exact) {

  enum Kind {
    /** Commands. */
    COMMANDS,
    /** A session: each command behind a {@code $}, followed by its output. */
    SESSION,
    /** What the commands of the block before it print. */
    OUTPUT,
    /** A drawing, which is no command. */
    DRAWING,
    /** A piece of a program, which SessionSnippetsTest compiles. */
    JAVA,
    /** Without a word that says what it is. */
    UNKNOWN;

    static Kind of(String word) {
      return switch (word) {
        case "sh" -> COMMANDS;
        case "console" -> SESSION;
        case "text" -> OUTPUT;
        case "mermaid" -> DRAWING;
        case "java" -> JAVA;
        default -> UNKNOWN;
      };
    }
  }

  boolean runs() {
    return notRun.isEmpty() && (kind == Kind.COMMANDS || kind == Kind.SESSION);
  }
}
