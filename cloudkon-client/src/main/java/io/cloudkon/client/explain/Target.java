package io.cloudkon.client.explain;

import io.cloudkon.client.report.JournalReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.process.Launcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The run or task to explain. Immutable.
 *
 * @param run the run, or the run of the task
 * @param task its id; null for the run itself
 * @param folder the folder of the run's files; null if unknown
 */
public record Target(RunEntry run, @Nullable String task, @Nullable Path folder) {
  /**
   * Finds the run or task that the user means.
   *
   * @param text {@code RUN}, {@code RUN/ID}, or {@code ID}; RUN is an id, or, if the cluster has no
   *     such run, a folder
   * @param out the run's folder, if it was named
   * @param here the folder in which runs' folders are looked for otherwise
   * @throws UsageException if there is no such run or task, or more than one
   */
  public static Target of(Cluster cluster, String text, Optional<Path> out, Path here) {
    int slash = text.indexOf('/');
    Optional<RunEntry> run = read(cluster, slash < 0 ? text : text.substring(0, slash));
    if (run.isPresent()) {
      String id = slash < 0 ? null : text.substring(slash + 1);
      return new Target(run.get(), id, folder(run.get().run(), out, here));
    }
    if (out.isPresent()) {
      return new Target(entry(cluster, out.get()), text, out.get());
    }
    return inFolder(cluster, text, here).orElseGet(() -> bare(cluster, text, here));
  }

  /** Finds a run, or a task in it, by the folder that the text begins with. */
  private static Optional<Target> inFolder(Cluster cluster, String text, Path here) {
    return RunsHere.head(text, here, RunFolder.JOURNAL)
        .map(head -> {
          Path folder = here.resolve(head);
          String id = text.substring(Math.min(text.length(), head.length() + 1));
          return new Target(entry(cluster, folder), id.isEmpty() ? null : id, folder);
        });
  }

  private static RunEntry entry(Cluster cluster, Path folder) {
    String named = journalOf(folder);
    return read(cluster, named)
        .orElseThrow(() ->
            new UsageException(
                "run %s, whose files are in %s, is not known in cluster %s: it ended long ago, or belongs to another cluster"
                    .formatted(named, folder, cluster.name())));
  }

  /** Resolves a task's id alone, which is sufficient if only one open run has its folder here. */
  private static Target bare(Cluster cluster, String id, Path here) {
    Map<String, Path> folders = RunsHere.byRun(here);
    List<Target> open =
        cluster.runs().list().stream()
            .filter(run -> run.state() == RunEntry.State.OPEN && folders.containsKey(run.run()))
            .map(run -> new Target(run, id, folders.get(run.run())))
            .toList();
    if (open.size() == 1) {
      return open.getFirst();
    }
    throw new UsageException(
        open.isEmpty()
            ? "'%s' is not a run of cluster %s, and no open run whose task it could be has its folder here; list the runs with: %s status -s %s"
                .formatted(id, cluster.name(), Launcher.name(), cluster.name())
            : "'%s' may be a task of any of %d open runs whose folders are here; name it as RUN/%s"
                .formatted(id, open.size(), id));
  }

  private static Optional<RunEntry> read(Cluster cluster, String run) {
    return isName(run) ? cluster.runs().read(run) : Optional.empty();
  }

  private static boolean isName(String run) {
    try {
      var unused = Names.check("run id", run);
      return true;
    } catch (UsageException e) {
      return false;
    }
  }

  private static @Nullable Path folder(String run, Optional<Path> out, Path here) {
    if (out.isEmpty()) {
      return RunsHere.find(run, RunFolder.JOURNAL, here).orElse(null);
    }
    String named = journalOf(out.get());
    if (!named.equals(run)) {
      throw new UsageException(
          "the files in %s belong to run %s, not to run %s; name the right folder with --out DIR"
              .formatted(out.get(), named, run));
    }
    return out.get();
  }

  private static String journalOf(Path folder) {
    if (!hasJournal(folder)) {
      throw new UsageException(
          "there is no journal in %s; name the run's folder with --out DIR".formatted(folder));
    }
    return JournalReader.requireHeader(folder.resolve(RunFolder.JOURNAL)).run();
  }

  private static boolean hasJournal(Path folder) {
    return Files.isRegularFile(folder.resolve(RunFolder.JOURNAL));
  }
}
