package io.cloudkon.core.protocol.completeness;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Tracks which tasks have a final result, and which are LOST unless one still comes. Two bits a
 * task.
 */
final class TaskAccount {
  private final BitSet finals = new BitSet();
  private final BitSet provisional = new BitSet();
  private int finalCount;
  private int provisionalCount;

  boolean isFinal(int ordinal) {
    return finals.get(ordinal);
  }

  /** Whether nothing at all is known of it. */
  boolean missing(int ordinal) {
    return !finals.get(ordinal) && !provisional.get(ordinal);
  }

  int[] missing(int[] ordinals) {
    return IntStream.of(ordinals).filter(this::missing).toArray();
  }

  /** The task has its final result, whatever was thought before. */
  void makeFinal(int ordinal) {
    if (provisional.get(ordinal)) {
      provisional.clear(ordinal);
      provisionalCount--;
    }
    finals.set(ordinal);
    finalCount++;
  }

  /** The task, of which nothing was known, is LOST for the time being. */
  void makeProvisional(int ordinal) {
    provisional.set(ordinal);
    provisionalCount++;
  }

  /** What is LOST for the time being, ascending. */
  int[] provisional() {
    return provisional.stream().toArray();
  }

  int finalCount() {
    return finalCount;
  }

  int provisionalCount() {
    return provisionalCount;
  }
}
