package io.cloudkon.client.rerun;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/**
 * The tasks that an interrupt of a run on this machine may have stopped: at most one in each slot,
 * because the client collects what has finished before it leaves. Stateless.
 */
final class InterruptedTasks {
  private InterruptedTasks() {}

  /**
   * The most tasks without a result that may have run; empty if any of them may have: the run was
   * on a cluster, its client died, or a task may have waited for another try.
   *
   * @param unknown the tasks without a result
   */
  static OptionalInt most(RunHistory history, Workload workload, BitSet unknown) {
    if (!history.header().queue().equals(Names.LOCAL)
        || history.header().retries() > 0
        || mayBeRetried(workload, unknown)) {
      return OptionalInt.empty();
    }
    int slots = 0;
    for (RunHistory.Part part : history.parts()) {
      Path folder = part.folder();
      if (FolderState.of(folder) == FolderState.LEFT) {
        if (!Files.isRegularFile(folder.resolve(RunFolder.REPORT))) {
          return OptionalInt.empty();
        }
        slots += slots(folder);
      }
    }
    return OptionalInt.of(slots);
  }

  private static boolean mayBeRetried(Workload workload, BitSet tasks) {
    try (TaskReader reader = workload.read()) {
      for (Task task = reader.next(); task != null; task = reader.next()) {
        if (task.retries() > 0 && tasks.get(task.ordinal())) {
          return true;
        }
      }
    }
    return false;
  }

  /** As many as its option said, or as this machine has processors. */
  private static int slots(Path folder) {
    List<String> given =
        KeptOptions.in(folder)
            .map(kept -> kept.options().getOrDefault("-t", List.of()))
            .orElse(List.of());
    return given.isEmpty()
        ? Runtime.getRuntime().availableProcessors()
        : Integer.parseInt(given.getLast());
  }
}
