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
 * @param cluster the cluster in which it runs
 * @param options the options of sending and collecting
 * @param workload its tasks
 * @param statistics the statistics of its results
 * @param serviceToWallMicros converts the service's clock in milliseconds to this machine's in
 *     microseconds
 */
record SessionParts(
    Cluster cluster,
    RunOptions options,
    Workload workload,
    RunStatistics statistics,
    TimeSource time,
    LongUnaryOperator serviceToWallMicros,
    SessionOptions sessionOptions) {

  /** The number of tasks known so far; negative if it is unknown. */
  long allTasks() {
    return workload.knownTasks();
  }

  /** Whether a spool has taken tasks, which must be sent even if another client resumes the run. */
  boolean tookTasks() {
    return workload.grows() && workload.knownTasks() > 0;
  }

  /** The digest of the workload; see {@link Workload#digest}. */
  String digest() {
    return workload.digest();
  }
}
