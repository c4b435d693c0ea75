package io.cloudkon.client.run;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The HPC jobs of a run that were sent, counted by their ranks: there are 4,096 widths at most,
 * however many jobs. Not thread safe.
 */
final class SentJobs {
  private final Map<Integer, Integer> sent = new TreeMap<>();
  private final Map<Integer, Integer> finished = new TreeMap<>();

  /** One more is on its way, for the first time. */
  void sent(int ranks) {
    sent.merge(ranks, 1, Integer::sum);
  }

  /** One of those has its result. */
  void finished(int ranks) {
    finished.merge(ranks, 1, Integer::sum);
  }

  /** How many of them have none. */
  int outstanding() {
    return sum(sent) - sum(finished);
  }

  /** Those without a result, where only these are known: of a stream. */
  SortedMap<Integer, Integer> left() {
    return leftOf(sent);
  }

  /** Those without a result, where the whole workload has these. */
  SortedMap<Integer, Integer> leftOf(Map<Integer, Integer> all) {
    SortedMap<Integer, Integer> left = new TreeMap<>(all);
    finished.forEach((ranks, count) ->
        left.computeIfPresent(ranks, (same, of) -> of > count ? of - count : null));
    // A journal of an older version does not say of how many ranks the finished ones were.
    if (sum(finished) >= sum(all)) {
      left.clear();
    }
    return left;
  }

  private static int sum(Map<Integer, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
