package io.cloudkon.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably intended by a mistyped one. */
public final class Nearest {
  private static final int LETTERS_OF_A_STEM = 3;

  private Nearest() {}

  /**
   * The known word with the fewest edits to the given one, if there are few enough for a typing
   * error: up to a third of the letters, and at least two. Otherwise the only known word that
   * begins with it. Of one letter, as in {@code -j}, every other one is as near.
   */
  public static Optional<String> to(String word, Collection<String> known) {
    if (word.length() <= 2) {
      return Optional.empty();
    }
    int tolerated = Math.max(2, word.length() / 3);
    Optional<String> slip =
        known.stream()
            .filter(candidate -> edits(word, candidate) <= tolerated)
            .min(
                Comparator.<String>comparingInt(candidate -> edits(word, candidate))
                    .thenComparing(Comparator.naturalOrder()));
    return slip.or(() -> goingOn(word, known));
  }

  /**
   * The only known word that continues the given one, whose last letter may differ: {@code
   * --timeout} for {@code --time}, {@code --retries} for {@code --retry}.
   */
  private static Optional<String> goingOn(String word, Collection<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (String stem : List.of(lower, lower.substring(0, Math.max(0, lower.length() - 1)))) {
      List<String> longer =
          known.stream()
              .filter(candidate -> candidate.toLowerCase(Locale.ROOT).startsWith(stem))
              .toList();
      if (letters(stem) >= LETTERS_OF_A_STEM && longer.size() == 1) {
        return Optional.of(longer.getFirst());
      }
    }
    return Optional.empty();
  }

  private static int letters(String word) {
    return (int) word.chars().filter(Character::isLetter).count();
  }

  /** "; did you mean 'x'?", or nothing. */
  public static String hint(String word, Collection<String> known) {
    return to(word, known).map("; did you mean '%s'?"::formatted).orElse("");
  }

  /** "; did you mean 'x'?", or "; expected one of" all of them. */
  public static String hintOrAll(String word, Collection<String> known) {
    return to(word, known)
        .map("; did you mean '%s'?"::formatted)
        .orElseGet(() -> "; expected one of " + String.join(", ", known));
  }

  /**
   * Levenshtein's distance, by the row-at-a-time algorithm of Wagner and Fischer (1974); ignores
   * case.
   */
  private static int edits(String a, String b) {
    String from = a.toLowerCase(Locale.ROOT);
    String to = b.toLowerCase(Locale.ROOT);
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
