package io.cloudkon.core.protocol.completeness;

import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Tracks which tasks have a final result, which is also counted in their bundle, and which are LOST
 * unless a result still arrives. Needs two bits per task.
 */
final class TaskAccount {
  private final BitSet finals = new BitSet();
  private final BitSet provisional = new BitSet();
  private final BundleTable bundles;
  private final IntConsumer lost;
  private int finalCount;
  private int provisionalCount;

  /**
   * An account of tasks of which nothing is known.
   *
   * @param bundles the bundles of these tasks
   * @param lost receives each task that becomes provisionally LOST
   */
  TaskAccount(BundleTable bundles, IntConsumer lost) {
    this.bundles = bundles;
    this.lost = lost;
  }

  boolean isFinal(int ordinal) {
    return finals.get(ordinal);
  }

  boolean isProvisional(int ordinal) {
    return provisional.get(ordinal);
  }

  /** Whether nothing is known of the task. */
  boolean missing(int ordinal) {
    return !finals.get(ordinal) && !provisional.get(ordinal);
  }

  int[] missing(int[] ordinals) {
    return IntStream.of(ordinals).filter(this::missing).toArray();
  }

  /** Records the task's final result, whatever its state was. */
  void makeFinal(int ordinal) {
    if (provisional.get(ordinal)) {
      provisional.clear(ordinal);
      provisionalCount--;
    }
    finals.set(ordinal);
    finalCount++;
    bundles.got(bundles.bundleOf(ordinal));
  }

  /** Records that a task without a result is provisionally LOST. */
  void makeProvisional(int ordinal) {
    provisional.set(ordinal);
    provisionalCount++;
    lost.accept(ordinal);
  }

  /** The provisionally LOST tasks in ascending order. */
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
