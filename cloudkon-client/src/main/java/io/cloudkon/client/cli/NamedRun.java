package io.cloudkon.client.cli;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.process.Launcher;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run of a cluster that the user names by its id or its folder.
 *
 * @param id the run's id
 * @param cluster the cluster's queue
 * @param folder its folder; empty if it is not here
 */
record NamedRun(String id, String cluster, Optional<Path> folder) {

  /**
   * Finds out which run is meant.
   *
   * @param queue the cluster; null for that of the run's folder, which must then be here
   * @param command the command whose help describes the option
   * @throws UsageException if the cluster is unknown, or the run was not one of a cluster
   */
  static NamedRun of(String runOrFolder, @Nullable String queue, String command) {
    Optional<Path> folder = RunsHere.folder(runOrFolder, RunFolder.JOURNAL);
    Optional<RunHeader> here = folder.flatMap(RunFolder::headerIn);
    String id = here.map(RunHeader::run).orElse(runOrFolder);
    String cluster =
        Optional.ofNullable(queue)
            .or(() -> here.map(RunHeader::queue))
            .orElseThrow(() ->
                new UsageException(
                    "missing required option: '-s=QUEUE', because run '%s' has no folder here; see %s %s --help"
                        .formatted(runOrFolder, Launcher.name(), command)));
    if (queue == null && cluster.equals(Names.LOCAL)) {
      throw new UsageException(
          "run '%s' ran in its own process (LOCAL), so no cluster knows it; see its results with: %s results %s"
              .formatted(id, Launcher.name(), runOrFolder));
    }
    Names.check("run id", id);
    Names.checkShared(cluster);
    return new NamedRun(id, cluster, folder);
  }
}
