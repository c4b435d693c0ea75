package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Consistency;

/**
 * A run.
 *
 * @param index its place among the simulation's runs, from 0
 * @param id its id in the services
 * @param consistency its consistency mode
 * @param tasks its tasks
 */
public record SimRun(int index, String id, Consistency consistency, Tasks tasks) {
  /** The epoch of every run, because each is submitted only once. */
  public static final String EPOCH = "e";

  @Override
  public String toString() {
    return id;
  }
}
