package io.cloudkon.client.explain;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.io.InputStream;
import java.util.Optional;

/** Finds a task's place in its workload, by reading that once more. Stateless. */
final class WorkloadLookup {
  private WorkloadLookup() {}

  /**
   * A task's place.
   *
   * @param ordinal from 0
   * @param ranks of an HPC job; 0 of any other task
   */
  record Found(int ordinal, int ranks) {}

  /**
   * The place of the task with this id; empty if there is none.
   *
   * @throws UsageException if the workload cannot be read again, or is not what was sent
   */
  static Optional<Found> find(RunHeader run, String id) {
    if (run.digest().isEmpty() || run.file().equals("-")) {
      throw new UsageException(
          "task '%s' of run %s has no result yet, and cannot be looked for: the workload came from a stream, which cannot be read again"
              .formatted(id, run.run()));
    }
    try (Workload workload =
        Workload.open(run.file(), InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      String digest = workload.summary().map(WorkloadSummary::sha256).orElse("");
      if (!digest.equals(run.digest())) {
        throw new UsageException(
            "task '%s' cannot be looked for: %s is not any more what run %s was sent from; put that back"
                .formatted(id, run.file(), run.run()));
      }
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
