package io.cloudkon.hpc.rmi;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A manager's order to start ranks of a job at a sub-worker. It is answered at once; the ranks
 * start, or fail to start, after the answer, and the sub-worker's next heartbeats report it. Its
 * arrays are never written to.
 *
 * @param job the job's id
 * @param attempt the attempt of the job
 * @param size the number of ranks of the job
 * @param ranks the ranks to start here, at least one, each once
 * @param bundle the job's bundle, encoded
 * @param peers the endpoint of every rank, by rank: {@code size} entries
 * @param passes the pass for each rank's worker, by rank: {@code size} entries
 * @param launch the MPI launch line of each of {@code ranks}; empty for other kinds of work
 */
public record StartRanks(
    String job,
    int attempt,
    int size,
    int[] ranks,
    byte[] bundle,
    Address[] peers,
    String[] passes,
    String[] launch)
    implements Serializable {

  /** Checks all components. */
  public StartRanks {
    Check.id("job", job);
    Check.attempt(attempt);
    Check.size(size);
    Check.ranks(ranks, size);
    Check.that(ranks.length > 0, "at least one rank");
    Check.bytes("bundle", bundle);
    Check.all("peers", peers);
    Check.that(peers.length == size, "one peer per rank");
    Check.all("passes", passes);
    Check.that(passes.length == size, "one pass per rank");
    for (String pass : passes) {
      Check.token("pass", pass);
    }
    Check.all("launch lines", launch);
    Check.that(
        launch.length == 0 || launch.length == ranks.length, "one launch line per rank, or none");
    for (String line : launch) {
      Check.text("launch line", line);
    }
  }

  /** The size of the bundle in bytes. */
  long payload() {
    return bundle.length;
  }

  /** Without the passes. */
  @Override
  public String toString() {
    return "ranks %s of %d of job %s, attempt %d"
        .formatted(Arrays.toString(ranks), size, job, attempt);
  }
}
