package io.cloudkon.core.faults;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run consists of.
 *
 * @param name for messages
 * @param consistency the run's
 * @param bundles for each bundle its tasks' durations, in milliseconds
 */
record Scenario(String name, Consistency consistency, List<List<Integer>> bundles) {
  static final String RUN = "run";
  static final String EPOCH = "e";
  static final String REPLIES = "Q-response-client";

  int tasks() {
    return bundles.stream().mapToInt(List::size).sum();
  }

  /** The bundle with this sequence number. A task's argument is its duration. */
  Bundle bundle(int sequence) {
    int ordinal = bundles.subList(0, sequence).stream().mapToInt(List::size).sum();
    List<Task> tasks = new ArrayList<>();
    for (int millis : bundles.get(sequence)) {
      // Durations are not told by the kind, so that the worker has to learn them, and errs.
      Work work = new Work.JavaCall("h" + sequence % 2, List.of(Integer.toString(millis)));
      tasks.add(new Task(ordinal, Integer.toString(ordinal + 1), work, 0));
      ordinal++;
    }
    BundleHeader header =
        new BundleHeader(
            RUN, EPOCH, BundleIds.of(RUN, EPOCH, sequence), REPLIES, consistency, 1024, 0, 0, 0);
    return new Bundle(header, tasks);
  }

  /** How long the task takes, in milliseconds. */
  static int millis(Task task) {
    return task.work() instanceof Work.JavaCall call ? Integer.parseInt(call.args().getFirst()) : 0;
  }
}
