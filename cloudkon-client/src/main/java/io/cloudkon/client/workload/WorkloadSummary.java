package io.cloudkon.client.workload;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.SlotTimes;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The totals of a whole pass over a workload. Immutable.
 *
 * @param tasks the number of tasks; 0 only for an empty spool
 * @param jobsByRanks the number of HPC jobs among them, by their ranks
 * @param kinds the number of tasks of each kind; every kind is present, with 0 if there is none; an
 *     HPC job counts as the kind of its ranks' work
 * @param sha256 the digest of all its bytes, as 64 lower-case hexadecimal digits; {@code --resume}
 *     compares it
 * @param largeTasks the number of tasks that are, or might be, too large for a message, so that
 *     their work goes through the blob store
 * @param withFiles the number of tasks that need their own files, or say which files they return;
 *     these files also go through the blob store
 * @param sleepMillis the total time of its sleeps outside of HPC jobs, in milliseconds
 * @param jobSleepMillis the total slot time of those in HPC jobs, over all ranks, in milliseconds
 */
public record WorkloadSummary(
    int tasks,
    Map<Integer, Integer> jobsByRanks,
    Map<Work.Kind, Integer> kinds,
    String sha256,
    int largeTasks,
    int withFiles,
    double sleepMillis,
    double jobSleepMillis) {
  /** Copies the counts and adds zeros for absent kinds. */
  public WorkloadSummary {
    Map<Work.Kind, Integer> all = new EnumMap<>(Work.Kind.class);
    for (Work.Kind kind : Work.Kind.values()) {
      all.put(kind, kinds.getOrDefault(kind, 0));
    }
    kinds = Collections.unmodifiableMap(all);
    jobsByRanks = Collections.unmodifiableMap(new TreeMap<>(jobsByRanks));
  }

  /** The number of HPC jobs among its tasks. */
  public int jobs() {
    return jobsByRanks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * The average slot times of its tasks and jobs, if all of them sleep or do nothing; otherwise
   * unknown.
   */
  public SlotTimes slotTimes() {
    boolean said =
        kinds.getOrDefault(Work.Kind.EXEC, 0) + kinds.getOrDefault(Work.Kind.JAVA, 0) == 0;
    return said
        ? SlotTimes.of(sleepMillis * 1000, tasks - jobs(), jobSleepMillis * 1000, jobs())
        : SlotTimes.UNKNOWN;
  }

  /** Whether its tasks can be sent only if there is a bucket. */
  public boolean needsBlobStore() {
    return largeTasks > 0 || withFiles > 0;
  }
}
