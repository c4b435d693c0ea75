package io.cloudkon.client.run;

import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state from which a client begins or resumes its run. Used once.
 *
 * @param completeness what is known about its tasks
 * @param outstanding its bundles without all results, by number
 * @param jobs its HPC jobs
 * @param sentTasks the number of tasks that the request queue accepted
 * @param unconfirmed the outstanding bundles that may or may not have been sent; they are sent
 *     again
 * @param last the last bundle that was made, after which the rest of the workload continues; null
 *     if there is none
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

  /** The state of a run of which nothing was sent. */
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
