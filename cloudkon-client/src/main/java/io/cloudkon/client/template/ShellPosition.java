package io.cloudkon.client.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A position in a command line for {@code /bin/sh}, which moves forward with the text and knows
 * whether a value in single quotes would be one word there, in dash as in bash. Quotes and brackets
 * are followed, grammar is not: behind anything that those do not settle, no value is taken. What a
 * command does with its words is not considered ({@code eval} runs them). Not thread safe.
 */
final class ShellPosition {
  private static final char SINGLE = '\'';
  private static final char DOUBLE = '"';
  private static final char BACKQUOTE = '`';
  private static final char COMMENT = '#';

  /** Commands in parentheses, with a {@code $} before them or without, and the whole line. */
  private static final char COMMANDS = '(';

  /** {@code $'...'}, in which a backslash escapes the quote in bash and not in dash. */
  private static final char ANSI = '$';

  /**
   * The characters that close an expression: {@code (( ))}, <code>${ }</code> or {@code [ ]} behind
   * a letter or {@code $}. Bash evaluates it after quotes are removed, and so runs what a value
   * spells.
   */
  private static final String CLOSING = ")}]";

  private static final String OPENING = "({[";

  /** The characters after which a word begins. */
  private static final String BEFORE_WORD = " \t\n;&|()<>";

  /** A character that is no operator, in the place of an escaped one or a value. */
  private static final char PLAIN = 'v';

  /** The quotes, brackets and comments that are open here, the innermost first. */
  private final Deque<Character> open = new ArrayDeque<>();

  private final StringBuilder word = new StringBuilder();
  private char beforeLast = ' ';
  private char last = ' ';
  private boolean escaped;
  private int angles;
  private boolean announced;
  private boolean inDocument;

  /** Whether it depends on the shell, or on its grammar, where quotes end from here on. */
  private boolean lost;

  /** Moves behind a piece of the line. */
  void text(String piece) {
    for (int i = 0; i < piece.length(); i++) {
      step(piece.charAt(i));
    }
  }

  /** Moves behind an inserted value. */
  void value() {
    escaped = false;
    moveBehind(PLAIN);
  }

  /** Why a quoted value cannot be inserted here, and what was expected; empty if it can. */
  Optional<String> problem() {
    if (lost) {
      return Optional.of(
          "follows a construct that only a shell can follow, such as a case in $( ), or a << or a"
              + " quote in $(( )) or \"${ }\"; expected it before that, or a script as COMMAND");
    }
    if (last == '$' && here() == COMMANDS) {
      return Optional.of(
          "follows a $, with which the quotes of a value mean something else in bash; expected none"
              + " before it, because {} alone stands for the value");
    }
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
      if (quote == SINGLE || quote == DOUBLE || quote == ANSI) {
        return Optional.of(
            "is in quotes (%c); expected no quotes around it, because values are quoted when they are inserted"
                .formatted(quote == ANSI ? SINGLE : quote));
      }
    }
    if (open.stream().anyMatch(ShellPosition::isExpression)) {
      return Optional.of(
          "is in (( )), ${ } or a[ ], in which quotes do not protect every value; expected it"
              + " outside of them, or a blank between the parentheses of commands");
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
    char in = here();
    if (escaped) {
      escaped = false;
      lost |= in == ANSI && c == SINGLE;
      if (c == '\n' && in != ANSI) {
        return; // such a line end is removed before the line is read
      }
      moveBehind(PLAIN);
    } else if (c == '\\' && in != COMMENT && (in != SINGLE || open.contains(BACKQUOTE))) {
      escaped = true;
      lost |= isExpression(in) && !quotesAreUsual();
    } else {
      if (c == BACKQUOTE && open.contains(BACKQUOTE)) {
        closeBackquote();
      } else if (isExpression(in)) {
        inExpression(c, in);
      } else if (in == COMMANDS || in == BACKQUOTE) {
        inCommands(c);
      } else {
        inQuotesOrComment(c, in);
      }
      moveBehind(c);
    }
  }

  private char here() {
    return open.isEmpty() ? COMMANDS : open.getFirst();
  }

  private static boolean isExpression(char closing) {
    return CLOSING.indexOf(closing) >= 0;
  }

  private void inQuotesOrComment(char c, char in) {
    char end =
        switch (in) {
          case ANSI -> SINGLE;
          case COMMENT -> '\n';
          default -> in;
        };
    if (c == end) {
      open.pop();
      if (c == '\n') {
        inDocument |= announced;
      }
    } else if (in == DOUBLE) {
      expansion(c);
    }
  }

  /** Opens what begins within double quotes, too. */
  private void expansion(char c) {
    if (c == BACKQUOTE || (c == COMMANDS && last == '$')) {
      open.push(c);
    } else if ((c == '{' || c == '[') && last == '$') {
      openExpression(c);
    }
  }

  private void openExpression(char opening) {
    lost |= opening == '[' && last == '$'; // an expression in bash only
    open.push(CLOSING.charAt(OPENING.indexOf(opening)));
  }

  /** Whether all that is open has quotes like a command, as {@code [ ]} and plain braces have. */
  private boolean quotesAreUsual() {
    return open.stream().allMatch(in -> in == COMMANDS || in == ']' || in == '}');
  }

  /** In an expression, only brackets are followed, and quotes where shells agree on them. */
  private void inExpression(char c, char closing) {
    if ((c == SINGLE || c == DOUBLE) && quotesAreUsual()) {
      openQuote(c);
    } else if (c == closing) {
      open.pop();
    } else if (OPENING.indexOf(c) >= 0) {
      openExpression(c);
    } else if (closing == ']' && isTest(c)) {
      open.pop();
    } else {
      boolean comment = c == COMMENT && BEFORE_WORD.indexOf(last) >= 0;
      boolean document = c == '<' && last == '<';
      lost |= comment || document || isExpression(c) || "'\"`\n".indexOf(c) >= 0;
    }
  }

  /** Whether the bracket before was the command {@code [}, which is a word. */
  private boolean isTest(char c) {
    return (c == ' ' || c == '\t') && last == '[' && BEFORE_WORD.indexOf(beforeLast) >= 0;
  }

  private void inCommands(char c) {
    switch (c) {
      case SINGLE, DOUBLE -> openQuote(c);
      case COMMANDS -> openParenthesis();
      case ')' -> {
        if (!open.isEmpty() && here() == COMMANDS) {
          open.pop();
        }
      }
      case '[' -> openExpression(c);
      case COMMENT -> {
        if (BEFORE_WORD.indexOf(last) >= 0) {
          open.push(c);
          lost |= last == ')'; // in a word, if this closed $( )
        }
      }
      case '\n' -> inDocument |= announced;
      default -> expansion(c);
    }
  }

  private void openQuote(char quote) {
    open.push(quote == SINGLE && last == '$' ? ANSI : quote);
  }

  /** The second of two parentheses makes both of them those of an expression. */
  private void openParenthesis() {
    if (last == COMMANDS && !open.isEmpty()) {
      open.pop();
      openExpression(COMMANDS);
      openExpression(COMMANDS);
    } else {
      open.push(COMMANDS);
    }
  }

  /** Shells differ on a backquote in what is open within backquotes. */
  private void closeBackquote() {
    lost |= here() != BACKQUOTE;
    while (open.pop() != BACKQUOTE) {}
  }

  /** Whether the parenthesis behind a pattern of {@code case} would close another one here. */
  private boolean isInParentheses(char in) {
    return isExpression(in) || (in == COMMANDS && !open.isEmpty());
  }

  private void moveBehind(char c) {
    char in = here();
    if (c == '<' && (in == COMMANDS || in == BACKQUOTE)) {
      angles++;
    } else {
      announced |= angles == 2; // a third announces a string, which is in the same line
      angles = 0;
    }
    if (BEFORE_WORD.indexOf(c) < 0) {
      word.append(c);
    } else {
      lost |= "case".contentEquals(word) && isInParentheses(in);
      word.setLength(0);
    }
    beforeLast = last;
    last = c;
  }
}
