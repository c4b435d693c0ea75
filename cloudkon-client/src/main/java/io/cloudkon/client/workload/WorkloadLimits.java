package io.cloudkon.client.workload;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import java.util.Optional;

/**
 * The limits for reading a workload. Tests use small ones.
 *
 * @param maxLineBytes the longest line, without its line end
 * @param maxTasks the largest number of tasks in one workload
 * @param idsInMemory the number of ids that are compared in memory before they are spilled to disk
 * @param blockBytes the number of bytes that are read at once
 * @param maxRetries the largest number of retries of a task; 0 if the run allows none
 * @param slots the most slots that the run can ever have, which limits the ranks of a job
 * @param files checks the files that tasks need, in the first pass; empty if they are not checked
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

  /** The limits outside tests. */
  static final WorkloadLimits DEFAULT =
      new WorkloadLimits(Workload.MAX_LINE_BYTES, Workload.MAX_TASKS, 200_000, 256 * 1024);

  /** The limits of a run that allows retries, on a cluster that may grow. */
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

  /** The limits for a run with this consistency; at-most-once allows no retries. */
  static WorkloadLimits of(Consistency consistency) {
    return consistency == Consistency.AT_MOST_ONCE ? DEFAULT.withRetries(0) : DEFAULT;
  }

  WorkloadLimits withRetries(int most) {
    return new WorkloadLimits(maxLineBytes, maxTasks, idsInMemory, blockBytes, most, slots, files);
  }

  /** A copy for reading a few lines. */
  WorkloadLimits withSmallBlocks() {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, SMALL_BLOCK, maxRetries, slots, files);
  }

  /** A copy in which no job may have more ranks than there are slots. */
  WorkloadLimits withSlots(int all) {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, blockBytes, maxRetries, all, files);
  }

  /** A copy with a check of the tasks' files. */
  WorkloadLimits with(Optional<TaskFilesCheck> check) {
    return new WorkloadLimits(
        maxLineBytes, maxTasks, idsInMemory, blockBytes, maxRetries, slots, check);
  }
}
