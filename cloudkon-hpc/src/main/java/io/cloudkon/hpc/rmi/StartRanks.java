package io.cloudkon.hpc.rmi;

import java.io.Serializable;
import java.util.Arrays;

/**
 * A manager starts ranks of a job at a sub-worker. Answered at once: they start, or fail to, behind
 * it, and the sub-worker's next beats tell. Its arrays are never written to.
 *
 * @param job the job's id
 * @param attempt of the job
 * @param size how many ranks the job has
 * @param ranks those that are to start here, at least one, each once
 * @param bundle the job's bundle, encoded
 * @param peers every rank's endpoint, by rank: {@code size} of them
 * @param passes with which its messages are let in there, by rank: {@code size} of them
 * @param launch for each of {@code ranks} its MPI launch line; empty for all other work
 * @param leaseMillis what remains of the manager's lease, milliseconds
 */
public record StartRanks(
    String job,
    int attempt,
    int size,
    int[] ranks,
    byte[] bundle,
    Address[] peers,
    String[] passes,
    String[] launch,
    long leaseMillis)
    implements Serializable {

  /** Checks all of it. */
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
    Check.lease(leaseMillis);
  }

  /** The bytes within. */
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
