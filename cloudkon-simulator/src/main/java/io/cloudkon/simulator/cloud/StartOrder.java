package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.load.Request;
import java.util.List;

/**
 * A manager's order to start ranks.
 *
 * @param request the job
 * @param attempt of its claim
 * @param size how many ranks it has
 * @param ranks which of them are to start there
 * @param fails whether one of its ranks fails this time
 */
public record StartOrder(
    Request request, int attempt, int size, List<Integer> ranks, boolean fails) {
  /** The job's bundle id. */
  public String job() {
    return request.id();
  }
}
