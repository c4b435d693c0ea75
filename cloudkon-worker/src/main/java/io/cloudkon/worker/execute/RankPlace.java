package io.cloudkon.worker.execute;

import io.cloudkon.core.handler.Communicator;
import java.util.Map;

/**
 * The rank of an HPC job that is run. Immutable except for the communicator.
 *
 * @param job the job's id, for {@code CLOUDKON_JOB}
 * @param rank from 0
 * @param size the number of ranks of the job
 * @param world the communicator by which a {@code java} rank talks to the others
 * @param launch the launch line of mpiexec that runs this rank of an MPI program; otherwise empty
 */
public record RankPlace(String job, int rank, int size, Communicator world, String launch) {
  public RankPlace {
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "job %s has no rank %d, they are 0 to %d".formatted(job, rank, size - 1));
    }
  }

  /** The variables in a command's environment. */
  Map<String, String> environment() {
    return Map.of(
        "CLOUDKON_JOB", job,
        "CLOUDKON_RANK", Integer.toString(rank),
        "CLOUDKON_SIZE", Integer.toString(size));
  }
}
