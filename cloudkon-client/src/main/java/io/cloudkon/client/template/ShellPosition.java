package io.cloudkon.client.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A position in a command line for {@code /bin/sh}, which moves forward with the text and knows
 * whether a value in single quotes would be one word there. In doubt it would not. Not thread safe.
 */
final class ShellPosition {
  private static final char SINGLE = '\'';
  private static final char DOUBLE = '"';
  private static final char BACKQUOTE = '`';
  private static final char PARENTHESIS = '(';
  private static final char COMMENT = '#';

  /** The characters after which {@code #} begins a comment. */
  private static final String BEFORE_COMMENT = " \t\n;&|()";

  /** The quotes, parentheses and comments that are open here, the innermost first. */
  private final Deque<Character> open = new ArrayDeque<>();

  private char last = ' ';
  private boolean escaped;
  private int angles;
  private boolean announced;
  private boolean inDocument;

  /** Moves behind a piece of the line. */
  void text(String piece) {
    for (int i = 0; i < piece.length(); i++) {
      step(piece.charAt(i));
    }
  }

  /** Moves behind an inserted value. */
  void value() {
    announce();
    escaped = false;
    last = 'v';
  }

  /** Why a quoted value cannot be inserted here, and what was expected; empty if it can. */
  Optional<String> problem() {
    if (inDocument) {
      return Optional.of(
          "follows a here-document (<<), in which quotes protect nothing; expected it before that,"
              + " or its value piped to the command with: printf '%s\\n' {} | COMMAND");
    }
    if (open.contains(BACKQUOTE)) {
      return Optional.of(
          "is in backquotes, in which quotes do not protect every value; expected $( ) instead");
    }
    for (char quote : open) {
      if (quote == SINGLE || quote == DOUBLE) {
        return Optional.of(
            "is in quotes (%c); expected no quotes around it, because values are quoted when they are inserted"
                .formatted(quote));
      }
    }
    if (open.contains(COMMENT)) {
      return Optional.of("is in a comment, which a value's line end would end; expected it before");
    }
    return escaped
        ? Optional.of(
            "follows a backslash; expected none before it, because values are quoted when they are"
                + " inserted")
        : Optional.empty();
  }

  private void step(char c) {
    char in = open.isEmpty() ? PARENTHESIS : open.getFirst();
    if (c == '<' && in == PARENTHESIS && !escaped) {
      angles++;
    } else {
      announce();
    }
    if (escaped) {
      escaped = false;
    } else if (c == '\\' && in != COMMENT && (in != SINGLE || open.contains(BACKQUOTE))) {
      escaped = true;
    } else if (c == BACKQUOTE && open.contains(BACKQUOTE)) {
      closeBackquote(); // whatever is open in it
    } else if (in == SINGLE || in == DOUBLE) {
      inQuotes(c, in);
    } else if (in == COMMENT) {
      inComment(c);
    } else {
      inCommand(c);
    }
    last = c;
  }

  private void inQuotes(char c, char quote) {
    if (c == quote) {
      open.pop();
    } else if (quote == DOUBLE && (c == BACKQUOTE || (c == PARENTHESIS && last == '$'))) {
      open.push(c);
    }
  }

  private void inComment(char c) {
    if (c == '\n') {
      open.pop();
      endLine();
    }
  }

  private void inCommand(char c) {
    switch (c) {
      case SINGLE, DOUBLE, PARENTHESIS, BACKQUOTE -> open.push(c);
      case ')' -> {
        if (!open.isEmpty() && open.getFirst() == PARENTHESIS) {
          open.pop();
        }
      }
      case COMMENT -> {
        if (BEFORE_COMMENT.indexOf(last) >= 0) {
          open.push(c);
        }
      }
      case '\n' -> endLine();
      default -> {}
    }
  }

  private void closeBackquote() {
    while (open.pop() != BACKQUOTE) {}
  }

  /** Two {@code <} announce a here-document, three a string, which is in the same line. */
  private void announce() {
    announced |= angles == 2;
    angles = 0;
  }

  /** The line after one that announced a here-document is its first. */
  private void endLine() {
    inDocument |= announced;
  }
}
