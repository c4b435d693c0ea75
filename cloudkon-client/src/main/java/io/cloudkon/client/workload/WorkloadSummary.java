package io.cloudkon.client.workload;

import io.cloudkon.core.model.Work;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sums of a whole pass over a workload. Immutable.
 *
 * @param tasks how many tasks it has; at least 1
 * @param jobsByRanks how many of them are HPC jobs, by their ranks
 * @param kinds how many of each kind; every kind is present, with 0 where there is none; an HPC job
 *     counts as what each of its ranks is
 * @param sha256 the digest of all its bytes, as 64 lower-case hexadecimal digits: {@code --resume}
 *     compares it
 * @param bytes its length
 * @param largeTasks how many tasks are, or might be, too large for a message: their work goes
 *     through the blob store
 * @param withFiles how many tasks need files of their own, or say what they bring back: these go
 *     through the blob store as well
 * @param sleepMillis how long its sleeps ask to keep slots, added up, those of every rank; in
 *     milliseconds
 */
public record WorkloadSummary(
    int tasks,
    Map<Integer, Integer> jobsByRanks,
    Map<Work.Kind, Integer> kinds,
    String sha256,
    long bytes,
    int largeTasks,
    int withFiles,
    double sleepMillis) {
  /** Copies the counts and adds zeros for absent kinds. */
  public WorkloadSummary {
    Map<Work.Kind, Integer> all = new EnumMap<>(Work.Kind.class);
    for (Work.Kind kind : Work.Kind.values()) {
      all.put(kind, kinds.getOrDefault(kind, 0));
    }
    kinds = Collections.unmodifiableMap(all);
    jobsByRanks = Collections.unmodifiableMap(new TreeMap<>(jobsByRanks));
  }

  /** How many of its tasks are HPC jobs. */
  public int jobs() {
    return jobsByRanks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * How long one of its tasks keeps slots on average, in microseconds, if the lines say it: where
   * each is a sleep or does nothing; else 0.
   */
  public double taskMicros() {
    boolean said =
        tasks > 0
            && kinds.getOrDefault(Work.Kind.EXEC, 0) + kinds.getOrDefault(Work.Kind.JAVA, 0) == 0;
    return said ? Math.max(1, sleepMillis * 1000 / tasks) : 0;
  }

  /** Whether its tasks can be sent only where there is a bucket. */
  public boolean needsBlobStore() {
    return largeTasks > 0 || withFiles > 0;
  }
}
