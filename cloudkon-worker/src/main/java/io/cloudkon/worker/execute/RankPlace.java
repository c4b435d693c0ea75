package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.Communicator;
import java.util.Map;

/**
 * Which rank of which HPC job is run. Immutable but for the communicator.
 *
 * @param job the job's id, for {@code CLOUDKON_JOB}
 * @param rank from 0
 * @param size how many ranks the job has
 * @param world how a {@code java} rank talks to the others
 * @param launch the line of mpiexec's that runs this rank of an MPI program; else empty
 */
public record RankPlace(String job, int rank, int size, Communicator world, String launch) {
  public RankPlace {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "job %s has no rank %d, they are 0 to %d".formatted(job, rank, size - 1));
    }
  }

  /** What a command finds in its environment. */
  Map<String, String> environment() {
    return Map.of(
        "CLOUDKON_JOB", job,
        "CLOUDKON_RANK", Integer.toString(rank),
        "CLOUDKON_SIZE", Integer.toString(size));
  }
}
