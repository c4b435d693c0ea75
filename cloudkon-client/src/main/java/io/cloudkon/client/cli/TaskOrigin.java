package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import java.util.List;
import java.util.OptionalInt;

/** Where the tasks of a new run come from. */
interface TaskOrigin {

  /** Whether the tasks are nowhere to be read again. */
  boolean streamed();

  /**
   * Opens the tasks, and checks them.
   *
   * @param slots how many this process has, if they run in it
   */
  Workload open(Consistency consistency, OptionalInt slots);

  /** What the tasks will find in their directories is packed. */
  default void shipped(List<Content> contents) {}

  /** The run's folder; where the tasks are nowhere else, with a copy of them. */
  RunFolder keep(RunFolder folder, Workload workload);

  /** As messages and the report name the workload. */
  String name(RunFolder folder);

  /** Where a client finds it that is started elsewhere. */
  String again(RunFolder folder);
}
