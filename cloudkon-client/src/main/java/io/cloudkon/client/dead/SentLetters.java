package io.cloudkon.client.dead;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tracks which letters have all of their tasks sent by the new run. Thread safe. */
final class SentLetters {
  private final Map<String, BitSet> open = new HashMap<>();
  private final Map<Integer, List<String>> lettersOf = new HashMap<>();

  /**
   * Adds a letter.
   *
   * @param ordinals the ordinals of its tasks in the new run
   */
  synchronized void expect(String letter, List<Integer> ordinals) {
    BitSet unsent = new BitSet();
    for (int ordinal : ordinals) {
      unsent.set(ordinal);
      lettersOf.computeIfAbsent(ordinal, o -> new ArrayList<>(1)).add(letter);
    }
    open.put(letter, unsent);
  }

  /**
   * Records that a task of the new run was sent; returns the letters whose tasks are all sent now.
   */
  synchronized List<String> sent(int ordinal) {
    List<String> complete = new ArrayList<>(0);
    for (String letter : lettersOf.getOrDefault(ordinal, List.of())) {
      BitSet unsent = open.get(letter);
      if (unsent != null) {
        unsent.clear(ordinal);
        if (unsent.isEmpty()) {
          open.remove(letter);
          complete.add(letter);
        }
      }
    }
    return complete;
  }
}
