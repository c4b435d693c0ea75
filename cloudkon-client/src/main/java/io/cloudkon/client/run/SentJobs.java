package io.cloudkon.client.run;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts the HPC jobs of a run that were sent, by their number of ranks: at most 4,096 counts,
 * however many jobs there are. Not thread safe.
 */
final class SentJobs {
  private final Map<Integer, Integer> sent = new TreeMap<>();
  private final Map<Integer, Integer> finished = new TreeMap<>();

  /** Adds a job that is sent for the first time. */
  void sent(int ranks) {
    sent.merge(ranks, 1, Integer::sum);
  }

  /** Records that a job has its result. */
  void finished(int ranks) {
    finished.merge(ranks, 1, Integer::sum);
  }

  /** The number of sent jobs without a result. */
  int outstanding() {
    return sum(sent) - sum(finished);
  }

  /** The jobs without a result, if only the sent ones are known, as for a stream. */
  SortedMap<Integer, Integer> left() {
    return leftOf(sent);
  }

  /** The jobs without a result among those of the whole workload. */
  SortedMap<Integer, Integer> leftOf(Map<Integer, Integer> all) {
    SortedMap<Integer, Integer> left = new TreeMap<>(all);
    finished.forEach((ranks, count) ->
        left.computeIfPresent(ranks, (same, of) -> of > count ? of - count : null));
    // A journal of an older version does not state the number of ranks of the finished jobs.
    if (sum(finished) >= sum(all)) {
      left.clear();
    }
    return left;
  }

  private static int sum(Map<Integer, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
