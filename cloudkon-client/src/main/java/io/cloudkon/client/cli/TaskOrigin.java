package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Content;
import java.nio.file.Path;
import java.util.List;

/** A source of tasks for a new run. */
interface TaskOrigin {

  /** Whether the tasks are nowhere to be read again. */
  boolean streamed();

  /** Opens the tasks, and checks them. */
  Workload open(RunChecks checks);

  /** From where the files that tasks need for themselves are named. */
  default Path directory() {
    return Path.of("");
  }

  /** What the tasks will find in their directories is packed. */
  default void shipped(List<Content> contents) {}

  /** The run's folder; where the tasks are nowhere else, with a copy of them. */
  RunFolder keep(RunFolder folder, Workload workload);

  /** Where what is printed goes. */
  default OutputOptions shown(OutputOptions asked) {
    return asked;
  }

  /**
   * What happens besides while the tasks run.
   *
   * @param folder the run's, as {@link #keep} gave it
   */
  default RunHooks hooks(RunFolder folder, String run) {
    return RunHooks.NONE;
  }

  /** As messages and the report name the workload. */
  String name(RunFolder folder);

  /** Where a client finds it that is started elsewhere. */
  String again(RunFolder folder);
}
