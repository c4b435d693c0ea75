package io.cloudkon.client.rerun;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Task;
import java.nio.file.Files;
import java.util.BitSet;

/**
 * The tasks of a run on this machine that was interrupted. Its client collects what has finished as
 * far as it can in a second, and stops the others. Stateless.
 */
final class InterruptedTasks {
  private InterruptedTasks() {}

  /**
   * Whether tasks without a result have hardly run, except for those that ran when their client was
   * interrupted; false if any of them may have: the run was on a cluster, its client died, or a
   * task may have waited for another try.
   *
   * @param unknown the tasks without a result
   */
  static boolean were(RunHistory history, Workload workload, BitSet unknown) {
    if (!history.header().queue().equals(Names.LOCAL)
        || history.header().retries() > 0
        || mayBeRetried(workload, unknown)) {
      return false;
    }
    return history.parts().stream()
        .map(RunHistory.Part::folder)
        .filter(folder -> FolderState.of(folder) == FolderState.LEFT)
        .allMatch(folder -> Files.isRegularFile(folder.resolve(RunFolder.REPORT)));
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
}
