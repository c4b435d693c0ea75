package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Consistency;

/**
 * One run.
 *
 * @param index its place among the simulation's runs, from 0
 * @param id as the services know it
 * @param consistency what it promises
 * @param tasks what it runs
 */
public record SimRun(int index, String id, Consistency consistency, Tasks tasks) {
  /** Every run's epoch: there is one submission of each. */
  public static final String EPOCH = "e";

  @Override
  public String toString() {
    return id;
  }
}
