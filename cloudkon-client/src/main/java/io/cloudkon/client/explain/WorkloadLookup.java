package io.cloudkon.client.explain;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.nio.file.Path;
import java.util.Optional;

/** Finds a task's place in its workload by reading the workload again. Stateless. */
final class WorkloadLookup {
  private WorkloadLookup() {}

  /**
   * A task's place.
   *
   * @param ordinal from 0
   * @param ranks the ranks of an HPC job; 0 for any other task
   */
  record Found(int ordinal, int ranks) {}

  /**
   * The place of the task with this id; empty if there is none.
   *
   * @param folder the folder of the run's files
   * @throws UsageException if the workload cannot be read again, or has changed since it was sent
   */
  static Optional<Found> find(RunHeader run, Path folder, String id) {
    try (Workload workload =
        SentWorkload.open(run, folder)
            .orElseThrow(() ->
                new UsageException(
                    "task '%s' of run %s has no result yet and cannot be looked up: %s"
                        .formatted(id, run.run(), SentWorkload.why(run))))) {
      try (TaskReader reader = workload.read()) {
        for (Task task = reader.next(); task != null; task = reader.next()) {
          if (task.id().equals(id)) {
            int ranks = task.work() instanceof Work.Hpc hpc ? hpc.ranks() : 0;
            return Optional.of(new Found(task.ordinal(), ranks));
          }
        }
      }
      return Optional.empty();
    }
  }
}
