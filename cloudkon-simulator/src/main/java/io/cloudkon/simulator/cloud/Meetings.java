package io.cloudkon.simulator.cloud;

import java.util.HashMap;
import java.util.Map;

/**
 * The meeting points of the ranks of each attempt of a job. One for all workers of a simulation.
 */
public final class Meetings {
  private final Map<String, RankBarrier> all = new HashMap<>();

  public RankBarrier of(String gang, StartOrder order) {
    return all.computeIfAbsent(
        gang + ' ' + order.job() + '#' + order.attempt(), key -> new RankBarrier(order.size()));
  }
}
