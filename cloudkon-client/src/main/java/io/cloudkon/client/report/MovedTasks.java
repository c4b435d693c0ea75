package io.cloudkon.client.report;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import java.util.BitSet;

/**
 * Counts the tasks whose result is of a later attempt at their bundle than the first, and their
 * bundles. Needs a bit per bundle, and one per task of a run that is resumed. Not thread safe:
 * {@link RunStatistics} guards it.
 */
final class MovedTasks {
  /** By the sequence number; the children of a bundle count as that bundle. */
  private final BitSet bundles = new BitSet();

  /** The tasks, by ordinal, that a former client has collected. */
  private final BitSet restored = new BitSet();

  private long tasks;

  /**
   * Adds results that ran and are final for their task.
   *
   * @param batch the message that brought them
   * @param ran their number
   */
  void accept(ResultBatch batch, int ran) {
    if (batch.attempt() > 1 && ran > 0) {
      tasks += ran;
      int sequence = BundleIds.sequence(batch.bundle());
      if (sequence >= 0) {
        bundles.set(sequence);
      }
    }
  }

  /** Adds a result that ran and that a former client has collected. */
  void restore(ResultRecord result) {
    if (result.attempt() > 1) {
      tasks++;
      restored.set(result.index());
    }
  }

  /** Adds the bundle if a restored task is in it: results do not name their bundle. */
  void restore(JournalEntry.BundleRange range) {
    int first = range.firstOrdinal();
    if (!restored.get(first, first + range.tasks()).isEmpty()) {
      bundles.set(range.sequence());
    }
  }

  long tasks() {
    return tasks;
  }

  long bundles() {
    return bundles.cardinality();
  }
}
