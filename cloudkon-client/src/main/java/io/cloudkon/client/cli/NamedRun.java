package io.cloudkon.client.cli;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.RunStore;
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
 * @param header the header of its journal, if its folder is here
 */
record NamedRun(String id, String cluster, Optional<Path> folder, Optional<RunHeader> header) {
  /**
   * Finds out which run is meant. With a cluster, a word without a slash is an id, because the
   * cluster's run of that name must not be mistaken for that of some folder; see {@link #in}.
   *
   * @param queue the cluster; null for that of the run's folder, which must then be here
   * @param command the command whose help describes the option
   * @throws UsageException if the cluster is unknown, or the run was not one of this cluster
   */
  static NamedRun of(String runOrFolder, @Nullable String queue, String command) {
    boolean isPath = runOrFolder.contains("/");
    Optional<Path> folder =
        queue == null || isPath
            ? RunsHere.folder(runOrFolder, RunFolder.JOURNAL)
            : RunsHere.find(runOrFolder, RunFolder.JOURNAL);
    Optional<RunHeader> header = folder.flatMap(RunFolder::headerIn);
    if (folder.isPresent() && header.isEmpty()) {
      throw new UsageException(
          "the journal in %s does not name its run; give the run's id and its cluster, with -s QUEUE"
              .formatted(folder.get()));
    }
    String id = header.map(RunHeader::run).orElse(runOrFolder);
    if (queue != null && header.isPresent() && !header.get().queue().equals(queue)) {
      if (isPath) {
        throw new UsageException(
            "%s holds run '%s' of cluster '%s', not of cluster '%s'"
                .formatted(runOrFolder, id, header.get().queue(), queue));
      }
      return new NamedRun(
          runOrFolder, Names.checkShared(queue), Optional.empty(), Optional.empty());
    }
    String cluster =
        Optional.ofNullable(queue)
            .or(() -> header.map(RunHeader::queue))
            .orElseThrow(() ->
                new UsageException(
                    "missing required option: '-s QUEUE', because no run '%s' has its folder here; see %s %s --help"
                        .formatted(runOrFolder, Launcher.name(), command)));
    if (queue == null && cluster.equals(Names.LOCAL)) {
      throw new UsageException(
          "run '%s' ran in its own process (LOCAL), so no cluster knows it; see its results with: %s results %s"
              .formatted(id, Launcher.name(), runOrFolder));
    }
    return new NamedRun(Names.check("run id", id), Names.checkShared(cluster), folder, header);
  }

  /**
   * Refuses a name that is one run's folder and another run's id, for a command that changes or
   * repeats a run, and must not take the wrong one.
   *
   * @param queue the cluster; with one, a word without a slash is an id
   */
  static void checkOne(String name, @Nullable String queue) {
    if (queue == null && !name.contains("/")) {
      RunsHere.otherNamed(name)
          .ifPresent(folder -> {
            Path other = RunsHere.folder(name, RunFolder.JOURNAL).orElseThrow();
            throw new UsageException(
                "'%s' is the run in folder %s, and %s is the folder of another run; name the folder, as ./%2$s or ./%3$s"
                    .formatted(name, folder, other));
          });
    }
  }

  /**
   * The run of this cluster that is meant: if it has none of this id, but a folder of this name
   * holds one of its runs, that one. Reads only if there is such a folder.
   */
  NamedRun in(RunStore runs) {
    if (folder.isPresent()) {
      return this;
    }
    Path named = Path.of(id);
    return RunFolder.headerIn(named)
        .filter(found -> found.queue().equals(cluster) && runs.read(id).isEmpty())
        .map(found -> new NamedRun(found.run(), cluster, Optional.of(named), Optional.of(found)))
        .orElse(this);
  }

  /**
   * The command that resumes it, as complete as it is known here; empty if it cannot be resumed
   * because it was streamed.
   */
  Optional<String> resume() {
    return header.isEmpty()
        ? Optional.of(RunStatus.resume(cluster, id))
        : header
            .filter(RunHeader::isResumable)
            .map(run -> Resuming.command(run, folder.orElseThrow()));
  }
}
