package io.cloudkon.client.session;

import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import java.util.function.LongUnaryOperator;

/**
 * The collaborators of a session.
 *
 * @param cluster where it runs
 * @param options how it is sent and collected
 * @param workload its tasks
 * @param statistics what its results add up to
 * @param serviceToWallMicros from the service's clock in milliseconds to this machine's in
 *     microseconds
 */
record SessionParts(
    Cluster cluster,
    RunOptions options,
    Workload workload,
    RunStatistics statistics,
    TimeSource time,
    LongUnaryOperator serviceToWallMicros,
    SessionOptions extras) {

  /** How many tasks there are, as far as is known; negative if that is not known at all. */
  long allTasks() {
    return workload.knownTasks();
  }

  /** Whether somebody has put tasks into a spool, which are to be sent whoever goes on with it. */
  boolean tookTasks() {
    return workload.grows() && workload.knownTasks() > 0;
  }

  /** The digest of the workload; see {@link Workload#digest}. */
  String digest() {
    return workload.digest();
  }
}
