package io.cloudkon.client.report;

import io.cloudkon.core.model.Consistency;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Facts of a run that its results do not show, for its report. Immutable.
 *
 * @param run the run's id
 * @param clientVersion the version of this program
 * @param cluster the request queue's name, or {@code LOCAL}
 * @param consistency how often its tasks may start
 * @param workload the workload file as the user named it; {@code -} for standard input
 * @param workloadDigest its SHA-256, hex; empty if it was not read whole
 * @param tasks how many tasks the run has
 * @param nominalMicros the total time that the tasks ask for, in microseconds, if all of them are
 *     {@code sleep}
 * @param begunMicros when the client's program began; client's clock, epoch microseconds
 * @param reportedMicros when the report is made; likewise
 * @param refused the lines of {@code --serve} that were no tasks, if there were any
 */
public record RunFacts(
    String run,
    String clientVersion,
    String cluster,
    Consistency consistency,
    String workload,
    String workloadDigest,
    long tasks,
    OptionalLong nominalMicros,
    long begunMicros,
    long reportedMicros,
    Optional<RefusedLines> refused) {

  /** The same facts with the lines that were refused. */
  public RunFacts with(Optional<RefusedLines> lines) {
    return new RunFacts(
        run,
        clientVersion,
        cluster,
        consistency,
        workload,
        workloadDigest,
        tasks,
        nominalMicros,
        begunMicros,
        reportedMicros,
        lines);
  }
}
