package io.cloudkon.client.workload;

import io.cloudkon.core.model.Consistency;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checks of a workload that depend on the run, besides its own rules. Immutable.
 *
 * @param consistency where tasks may start at most once, one that asks for retries is refused
 * @param slots of this process, if the tasks run in it: a job of more ranks is refused
 * @param files looks at those that tasks need; empty where they are not read from here
 */
public record RunChecks(
    Consistency consistency, OptionalInt slots, Optional<TaskFilesCheck> files) {

  /** Of a run whose tasks' files are not looked at. */
  public static RunChecks of(Consistency consistency) {
    return new RunChecks(consistency, OptionalInt.empty(), Optional.empty());
  }

  WorkloadLimits limits() {
    WorkloadLimits limits = WorkloadLimits.of(consistency).with(files);
    return slots.isPresent() ? limits.withSlots(slots.getAsInt()) : limits;
  }
}
