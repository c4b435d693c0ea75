package io.cloudkon.client.workload;

import io.cloudkon.core.model.Work;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a whole pass over a workload found. Immutable.
 *
 * @param tasks how many tasks it has; at least 1
 * @param jobs how many of them are HPC jobs
 * @param kinds how many of each kind; every kind is present, with 0 where there is none; an HPC job
 *     counts as what each of its ranks is
 * @param sha256 the digest of all its bytes, as 64 lower-case hexadecimal digits: {@code --resume}
 *     compares it
 * @param bytes its length
 * @param largeTasks how many tasks are, or might be, too large for a message: their work goes
 *     through the blob store
 */
public record WorkloadSummary(
    int tasks, int jobs, Map<Work.Kind, Integer> kinds, String sha256, long bytes, int largeTasks) {
  /** Copies the counts and adds zeros for absent kinds. */
  public WorkloadSummary {
    Map<Work.Kind, Integer> all = new EnumMap<>(Work.Kind.class);
    for (Work.Kind kind : Work.Kind.values()) {
      all.put(kind, kinds.getOrDefault(kind, 0));
    }
    kinds = Collections.unmodifiableMap(all);
  }

  /** Whether its tasks can be sent only where there is a bucket. */
  public boolean needsBlobStore() {
    return largeTasks > 0;
  }
}
