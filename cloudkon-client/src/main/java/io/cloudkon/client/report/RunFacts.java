package io.cloudkon.client.report;

import io.cloudkon.core.model.Consistency;
import java.util.OptionalLong;

/**
 * Facts of a run that its results do not show, for its report. Immutable.
 *
 * @param run the run's id
 * @param clientVersion of this program
 * @param cluster the request queue's name, or {@code LOCAL}
 * @param consistency how often its tasks might start
 * @param workload the workload file as it was named; {@code -} for standard input
 * @param workloadDigest its SHA-256, hex; empty if it was not read whole
 * @param tasks how many tasks the run has
 * @param nominalMicros what the tasks asked for, if all of them are {@code sleep}: microseconds in
 *     all
 * @param begunMicros when the client's program began; its clock, epoch microseconds
 * @param reportedMicros when this is said; likewise
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
    long reportedMicros) {}
