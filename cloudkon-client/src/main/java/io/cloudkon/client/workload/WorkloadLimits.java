package io.cloudkon.client.workload;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import java.util.Optional;

/**
 * The bounds of one reading. Tests make them small.
 *
 * @param maxLineBytes the longest line, without its line end
 * @param maxTasks the most tasks of one workload
 * @param idsInMemory how many ids are compared in memory before they are spilled to disk
 * @param blockBytes how much is read at once
 * @param maxRetries the most retries of a task; 0 where the run allows none
 * @param slots of all that the run will ever have, for the ranks of one job
 * @param files looks at the files that tasks need, in the first pass; empty if nobody does
 */
record WorkloadLimits(
    int maxLineBytes,
    int maxTasks,
    int idsInMemory,
    int blockBytes,
    int maxRetries,
    int slots,
    Optional<TaskFilesCheck> files) {
  private static final int SMALL_BLOCK = 4 * 1024;

  /** What a workload is read with outside tests. */
  static final WorkloadLimits DEFAULT =
      new WorkloadLimits(Workload.MAX_LINE_BYTES, Workload.MAX_TASKS, 200_000, 256 * 1024);

  /** Bounds of a run that allows retries, on a cluster that may grow. */
  WorkloadLimits(int maxLineBytes, int maxTasks, int idsInMemory, int blockBytes) {
    this(
        maxLineBytes,
        maxTasks,
        idsInMemory,
        blockBytes,
        Limits.RETRIES,
        Limits.RANKS,
        Optional.empty());
  }

  /** What a workload of such a run is read with: at most once is without retries. */
  static WorkloadLimits of(Consistency consistency) {
    return consistency == Consistency.AT_MOST_ONCE ? DEFAULT.withRetries(0) : DEFAULT;
  }

  WorkloadLimits withRetries(int most) {
    return new WorkloadLimits(maxLineBytes, maxTasks, idsInMemory, blockBytes, most, slots, files);
  }

  /** The same for a reading of few lines. */
  WorkloadLimits withSmallBlocks() {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, SMALL_BLOCK, maxRetries, slots, files);
  }

  /** The same where no job can have more ranks than there are slots. */
  WorkloadLimits withSlots(int all) {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, blockBytes, maxRetries, all, files);
  }

  /** The same with a look at tasks' files. */
  WorkloadLimits with(Optional<TaskFilesCheck> check) {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, blockBytes, maxRetries, slots, check);
  }
}
