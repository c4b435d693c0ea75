package io.cloudkon.simulator.cloud;

import java.util.HashMap;
import java.util.Map;

/** Where the ranks of each attempt of a job meet. One for all workers of a simulation. */
public final class Meetings {
  private final Map<String, Communicator> all = new HashMap<>();

  public Communicator of(String gang, StartOrder order) {
    return all.computeIfAbsent(
        gang + ' ' + order.job() + '#' + order.attempt(), key -> new Communicator(order.size()));
  }
}
