package io.cloudkon.client.workload;

import io.cloudkon.core.model.Consistency;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The checks of a workload that depend on the run. Immutable.
 *
 * @param consistency under at-most-once, tasks with retries are refused
 * @param slots the slots of this process if the tasks run in it; a job with more ranks is refused
 * @param files checks the files that tasks need; empty if this client does not read them
 */
public record RunChecks(
    Consistency consistency, OptionalInt slots, Optional<TaskFilesCheck> files) {

  /** The checks of a run whose tasks' files are not checked. */
  public static RunChecks of(Consistency consistency) {
    return new RunChecks(consistency, OptionalInt.empty(), Optional.empty());
  }

  /** The same checks for tasks whose files an option of the command line names. */
  public RunChecks withFilesNamedBy(String option) {
    return new RunChecks(consistency, slots, files.map(check -> check.namedBy(option)));
  }

  WorkloadLimits limits() {
    WorkloadLimits limits = WorkloadLimits.of(consistency).with(files);
    return slots.isPresent() ? limits.withSlots(slots.getAsInt()) : limits;
  }
}
