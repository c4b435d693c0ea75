package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * The end of one rank. Its arrays are never written to.
 *
 * @param job the job's id
 * @param attempt the attempt of the job
 * @param rank from 0
 * @param status the name of the status, in capital letters
 * @param exitCode the exit code of a command
 * @param stdout the beginning of its standard output
 * @param stdoutBytes the length of its standard output
 * @param stderr the beginning of its standard error
 * @param stderrBytes the length of its standard error
 * @param output the beginning of a handler's output
 * @param outputBytes the length of a handler's output
 * @param error the error message; empty if there was none
 * @param startedMicros start in epoch microseconds; 0 if it never started
 * @param finishedMicros end in epoch microseconds
 * @param stuck whether it could not be stopped and may still run; until it has ended, the job must
 *     not be tried again
 */
public record RankEnd(
    String job,
    int attempt,
    int rank,
    String status,
    int exitCode,
    byte[] stdout,
    long stdoutBytes,
    byte[] stderr,
    long stderrBytes,
    byte[] output,
    long outputBytes,
    String error,
    long startedMicros,
    long finishedMicros,
    boolean stuck)
    implements Serializable {
  private static final Pattern STATUS = Pattern.compile("[A-Z_]{1,32}");

  /** Checks all components. */
  public RankEnd {
    Check.id("job", job);
    Check.attempt(attempt);
    Check.rank("rank", rank, Limits.RANKS);
    Check.that(status != null && STATUS.matcher(status).matches(), "status: capital letters");
    captured("stdout", stdout, stdoutBytes);
    captured("stderr", stderr, stderrBytes);
    captured("output", output, outputBytes);
    Check.text("error", error);
    Check.that(startedMicros >= 0 && finishedMicros >= startedMicros, "an end after the start");
  }

  private static void captured(String what, byte[] kept, long written) {
    Check.bytes(what, kept);
    Check.that(written >= kept.length, what + ": no more kept than was written");
  }

  /** The same end, with each output cut to at most that many bytes. */
  public RankEnd keeping(int bytes) {
    if (Math.max(Math.max(stdout.length, stderr.length), output.length) <= bytes) {
      return this;
    }
    return new RankEnd(
        job,
        attempt,
        rank,
        status,
        exitCode,
        Outputs.head(stdout, bytes),
        stdoutBytes,
        Outputs.head(stderr, bytes),
        stderrBytes,
        Outputs.head(output, bytes),
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        stuck);
  }

  /** The total number of output bytes it contains. */
  public long payload() {
    return (long) stdout.length + stderr.length + output.length;
  }
}
