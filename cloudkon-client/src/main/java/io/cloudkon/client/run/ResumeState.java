package io.cloudkon.client.run;

import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a client takes up its run. Used once.
 *
 * @param completeness what is known of its tasks
 * @param outstanding its bundles without all results, by number
 * @param jobs its HPC jobs
 * @param sentTasks tasks that the request queue accepted
 * @param unconfirmed those outstanding of which nobody knows whether they were sent: to be sent
 *     again
 * @param last the last bundle that was made: the rest of the workload goes on behind it; null if
 *     there is none
 */
public record ResumeState(
    CompletenessMachine completeness,
    Map<Integer, SentBundle> outstanding,
    SentJobs jobs,
    long sentTasks,
    List<SentBundle> unconfirmed,
    @Nullable SentBundle last) {
  public ResumeState {
    unconfirmed = List.copyOf(unconfirmed);
  }

  /** A run of which nothing was sent. */
  public static ResumeState fresh(RunOptions options, String epoch) {
    CompletenessMachine completeness =
        new CompletenessMachine(
            options.run(),
            epoch,
            options.consistency().claims(),
            options.claim(),
            options.completeness());
    return new ResumeState(completeness, new HashMap<>(), new SentJobs(), 0, List.of(), null);
  }
}
