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

  /** For a duration: a task that kills its worker whenever it runs. */
  static final int POISON = -1;

  /** How often a task that may fail is tried again. */
  static final int RETRIES = 2;

  private static final int FLAKY = 1_000_000;

  static final String REPLIES = "Q-response-client";

  int tasks() {
    return bundles.stream().mapToInt(List::size).sum();
  }

  /** The same without tasks of this duration. */
  Scenario without(int millis) {
    return new Scenario(
        name,
        consistency,
        bundles.stream().map(bundle -> bundle.stream().filter(m -> m != millis).toList()).toList());
  }

  /** The bundle with this sequence number. A task's argument is its duration. */
  Bundle bundle(int sequence) {
    int ordinal = bundles.subList(0, sequence).stream().mapToInt(List::size).sum();
    List<Task> tasks = new ArrayList<>();
    for (int millis : bundles.get(sequence)) {
      // Durations are not told by the kind, so that the worker has to learn them, and errs.
      Work work = new Work.JavaCall("h" + sequence % 2, List.of(Integer.toString(millis)));
      int retries = millis >= FLAKY ? RETRIES : 0;
      tasks.add(new Task(ordinal, Integer.toString(ordinal + 1), work, 0, retries));
      ordinal++;
    }
    BundleHeader header =
        new BundleHeader(
            RUN, EPOCH, BundleIds.of(RUN, EPOCH, sequence), REPLIES, consistency, 1024, 0, 0, 0);
    return new Bundle(header, tasks);
  }

  /** For a duration: a task that fails so often under each claim before it succeeds. */
  static int flaky(int failures, int millis) {
    return failures * FLAKY + millis;
  }

  /** How long the task takes, in milliseconds. */
  static int millis(Task task) {
    return Math.max(0, argument(task)) % FLAKY;
  }

  /** How often it fails before it succeeds. */
  static int failures(Task task) {
    return Math.max(0, argument(task)) / FLAKY;
  }

  /** Whether it kills its worker. */
  static boolean poison(Task task) {
    return argument(task) == POISON;
  }

  private static int argument(Task task) {
    return task.work() instanceof Work.JavaCall call ? Integer.parseInt(call.args().getFirst()) : 0;
  }
}
