package io.cloudkon.simulator.cloud;

import java.util.HashMap;
import java.util.Map;

/**
 * The barriers of the ranks, one for each attempt of a job. All workers of a simulation share them.
 */
public final class Meetings {
  private final Map<String, RankBarrier> all = new HashMap<>();

  public RankBarrier of(String gang, StartOrder order) {
    return all.computeIfAbsent(
        gang + ' ' + order.job() + '#' + order.attempt(), key -> new RankBarrier(order.size()));
  }
}
