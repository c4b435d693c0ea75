package io.cloudkon.client.workload;

import java.util.Collection;
import java.util.Locale;

/**
 * Finds the word that was probably meant, by edit distance: letters missing, added, wrong, or
 * swapped with a neighbour (Damerau 1964; each letter is edited once).
 */
final class WordHint {
  private static final int SHORT_WORD = 4;

  private WordHint() {}

  /** {@code did you mean "sleep"? } with its trailing blank, or nothing if no word is near. */
  static String hint(String word, Collection<String> known) {
    String lower = word.toLowerCase(Locale.ROOT);
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      // With two of four letters wrong, it is a different word.
      int allowed = candidate.length() <= SHORT_WORD ? 1 : 2;
      if (Math.abs(candidate.length() - lower.length()) <= allowed) {
        int distance = distance(lower, candidate);
        if (distance <= allowed && distance < least) {
          least = distance;
          best = candidate;
        }
      }
    }
    return best.isEmpty() ? "" : "did you mean \"" + best + "\"? ";
  }

  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
        } else {
          boolean same = a.charAt(i - 1) == b.charAt(j - 1);
          int best = Math.min(d[i - 1][j], d[i][j - 1]) + 1;
          best = Math.min(best, d[i - 1][j - 1] + (same ? 0 : 1));
          d[i][j] = swapped(a, i, b, j) ? Math.min(best, d[i - 2][j - 2] + 1) : best;
        }
      }
    }
    return d[a.length()][b.length()];
  }

  private static boolean swapped(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
