package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Content;
import java.nio.file.Path;
import java.util.List;

/** A source of tasks for a new run. */
interface TaskOrigin {

  /** Whether the tasks cannot be read again. */
  boolean streamed();

  /** Opens and checks the tasks. */
  Workload open(RunChecks checks);

  /** The directory to which the paths of the tasks' files are relative. */
  default Path directory() {
    return Path.of("");
  }

  /** Whether tasks and options are those of an earlier run. */
  default boolean isRerun() {
    return false;
  }

  /** Whether all tasks have the same program. */
  default boolean hasOneProgram() {
    return false;
  }

  /** Receives the shipped contents, which the tasks will find in their directories. */
  default void shipped(List<Content> contents) {}

  /** The run's folder, with a copy of the tasks if they are stored nowhere else. */
  RunFolder keep(RunFolder folder, Workload workload);

  /** Adapts the selected output. */
  default OutputOptions shown(OutputOptions asked) {
    return asked;
  }

  /**
   * The additional actions while the tasks run.
   *
   * @param folder the run's folder, from {@link #keep}
   */
  default RunHooks hooks(RunFolder folder, String run) {
    return RunHooks.NONE;
  }

  /** The workload's name in messages and the report. */
  String name(RunFolder folder);

  /**
   * The workload's location for a client that is started in another directory; {@code -} if it
   * cannot be read again.
   */
  String again(RunFolder folder);
}
