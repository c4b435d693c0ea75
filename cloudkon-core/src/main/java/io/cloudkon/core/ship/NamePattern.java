package io.cloudkon.core.ship;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A pattern for one name in a path. A match takes at most time proportional to the product of both
 * lengths.
 */
final class NamePattern {
  /**
   * A part that matches one character, or any number of them.
   *
   * @param one whether a character matches
   */
  private record Part(boolean run, IntPredicate one) {
    static Part of(IntPredicate one) {
      return new Part(false, one);
    }
  }

  private final List<Part> parts;

  private final boolean anyFolders;
  private final boolean hidden;

  private NamePattern(List<Part> parts, boolean anyFolders, boolean hidden) {
    this.parts = parts;
    this.anyFolders = anyFolders;
    this.hidden = hidden;
  }

  static NamePattern of(String text) {
    List<Part> parts = new ArrayList<>();
    int[] chars = text.codePoints().toArray();
    for (int i = 0; i < chars.length; i++) {
      switch (chars[i]) {
        case '*' -> parts.add(new Part(true, c -> true));
        case '?' -> parts.add(Part.of(c -> true));
        case '[' -> {
          int end = endOfClass(chars, i);
          parts.add(Part.of(oneOf(chars, i + 1, end)));
          i = end;
        }
        case '\\' -> {
          if (++i == chars.length) {
            throw new IllegalArgumentException("has a backslash before nothing");
          }
          parts.add(only(chars[i]));
        }
        default -> parts.add(only(chars[i]));
      }
    }
    boolean hidden = text.startsWith(".") || text.startsWith("\\.");
    return new NamePattern(parts, text.equals("**"), hidden);
  }

  /**
   * The end of a character class; a bracket that comes first, or after a negation, is one of its
   * characters.
   */
  private static int endOfClass(int[] chars, int start) {
    int first = start + 1;
    if (first < chars.length && isNegation(chars[first])) {
      first++;
    }
    for (int i = first + 1; i < chars.length; i++) {
      if (chars[i] == ']') {
        return i;
      }
    }
    throw new IllegalArgumentException("has a [ without ]; a [ that stands for itself is \\[");
  }

  private static boolean isNegation(int c) {
    return c == '!' || c == '^';
  }

  private static IntPredicate oneOf(int[] chars, int start, int end) {
    boolean negated = isNegation(chars[start]);
    IntPredicate all = c -> false;
    for (int i = negated ? start + 1 : start; i < end; i++) {
      int from = chars[i];
      int to = from;
      if (i + 2 < end && chars[i + 1] == '-') {
        to = chars[i + 2];
        i += 2;
      }
      int last = to;
      all = all.or(c -> c >= from && c <= last);
    }
    return negated ? all.negate() : all;
  }

  private static Part only(int wanted) {
    return Part.of(c -> c == wanted);
  }

  /** Whether it matches any number of folders. */
  boolean isAnyFolders() {
    return anyFolders;
  }

  boolean matches(String name) {
    if (name.startsWith(".") && !hidden) {
      return false;
    }
    int[] chars = name.codePoints().toArray();
    int at = 0;
    int part = 0;
    int star = -1;
    int starAt = 0;
    while (at < chars.length) {
      boolean more = part < parts.size();
      if (more && parts.get(part).run()) {
        star = part++;
        starAt = at;
      } else if (more && parts.get(part).one().test(chars[at])) {
        part++;
        at++;
      } else if (star >= 0) {
        // the last run matches one more character; earlier ones need not
        part = star + 1;
        at = ++starAt;
      } else {
        return false;
      }
    }
    while (part < parts.size() && parts.get(part).run()) {
      part++;
    }
    return part == parts.size();
  }
}
