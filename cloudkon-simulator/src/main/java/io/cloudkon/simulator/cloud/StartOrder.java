package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.load.Request;
import java.util.List;

/**
 * A manager's order to start ranks.
 *
 * @param request the job
 * @param attempt the attempt of its claim
 * @param size the job's number of ranks
 * @param ranks the ranks that are to start at this worker
 * @param fails whether one of the job's ranks fails this time
 */
public record StartOrder(
    Request request, int attempt, int size, List<Integer> ranks, boolean fails) {
  /** The job's bundle id. */
  public String job() {
    return request.id();
  }
}
