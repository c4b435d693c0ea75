package io.cloudkon.client.rerun;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A run and its reruns, in the order in which they were submitted. Immutable.
 *
 * @param header of the first one
 * @param parts one for each, the first one first
 * @param next where the files of the next rerun will be
 */
public record RunHistory(RunHeader header, List<Part> parts, Path next) {
  private static final Pattern RERUN = Pattern.compile("rerun-([1-9][0-9]{0,8})");

  public RunHistory {
    parts = List.copyOf(parts);
  }

  /**
   * One of the runs.
   *
   * @param folder where its files lie
   * @param index the place of each of its tasks in the first run's workload
   */
  public record Part(Path folder, IntUnaryOperator index) {

    /** The file of its results. */
    public Path results() {
      return folder.resolve(RunFolder.RESULTS);
    }
  }

  /**
   * Finds the reruns in a run's folder.
   *
   * @throws UsageException if no run was submitted with this folder
   */
  public static RunHistory of(Path folder) {
    RunHeader header =
        RunFolder.headerIn(folder)
            .map(found -> counted(found, folder))
            .orElseThrow(() ->
                new UsageException(
                    "%s: there is no journal in it that says what was submitted; expected a run's folder"
                        .formatted(folder)));
    if (Files.exists(folder.resolve(RerunFile.NAME))) {
      throw new UsageException(
          "%s is a rerun's folder; name that of the first run, %s"
              .formatted(folder, folder.toAbsolutePath().normalize().getParent()));
    }
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(folder, IntUnaryOperator.identity()));
    SortedMap<Integer, Path> reruns = reruns(folder);
    for (Path rerun : reruns.values()) {
      RerunFile.read(rerun, header).ifPresent(of -> parts.add(new Part(rerun, place(of, rerun))));
    }
    int number = reruns.isEmpty() ? 1 : reruns.lastKey() + 1;
    return new RunHistory(header, parts, folder.resolve("rerun-" + number));
  }

  /** Of tasks that came one by one nobody knew how many they would be. */
  private static RunHeader counted(RunHeader header, Path folder) {
    if (!header.spooled()) {
      return header;
    }
    try (Workload tasks = SentWorkload.open(header, folder).orElse(null)) {
      return tasks == null ? header : header.with(tasks.knownTasks());
    }
  }

  private static IntUnaryOperator place(int[] of, Path rerun) {
    return task -> {
      if (task >= of.length) {
        throw damaged(rerun);
      }
      return of[task];
    };
  }

  private static CloudKonException damaged(Path folder) {
    return new CloudKonException(
        "%s has a result of a task that its run does not have; restore the file"
            .formatted(folder.resolve(RunFolder.RESULTS)));
  }

  /** By their numbers; somebody may have removed one. */
  private static SortedMap<Integer, Path> reruns(Path folder) {
    SortedMap<Integer, Path> reruns = new TreeMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "rerun-*")) {
      for (Path path : all) {
        Matcher name = RERUN.matcher(path.getFileName().toString());
        if (name.matches()) {
          reruns.put(Integer.parseInt(name.group(1)), path);
        }
      }
      return reruns;
    } catch (IOException | DirectoryIteratorException e) {
      throw new CloudKonException("%s cannot be read: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /** Where the first run's files are. */
  public Path folder() {
    return parts.getFirst().folder();
  }

  /**
   * Makes sure that nothing of it goes on. A run in a process of this machine that was interrupted
   * can never go on: it is over.
   *
   * @param abandoned whether a run of a cluster is over that no client on this machine is at, as
   *     somebody knows that the cluster is gone
   * @throws UsageException if one of the runs is not over
   */
  public void requireOver(boolean abandoned) {
    parts.forEach(part -> requireOver(part.folder(), abandoned));
    for (Path rerun : reruns(folder()).values()) {
      if (!FolderState.hasJournal(rerun)) {
        throw new UsageException(
            "%s has no journal: a rerun begins there just now, or died as it began; if none is at work, remove the folder"
                .formatted(rerun));
      }
    }
  }

  private static void requireOver(Path folder, boolean abandoned) {
    FolderState state = FolderState.of(folder);
    Optional<RunHeader> header = RunFolder.headerIn(folder);
    if (state == FolderState.ATTENDED) {
      throw new UsageException(
          "%s in %s goes on; expected one that is over"
              .formatted(header.map(run -> "run '" + run.run() + "'").orElse("the run"), folder));
    }
    header
        .filter(run -> !abandoned && state == FolderState.LEFT && !run.queue().equals(Names.LOCAL))
        .ifPresent(run -> {
          throw new UsageException(
              run.digest().isEmpty()
                  ? "run '%s' is not over; cancel it first: cloudkon cancel -s %s %1$s"
                      .formatted(run.run(), run.queue())
                  : "run '%s' is not over; go on with it first: %s; or, if its cluster is gone, rerun it with --abandoned"
                      .formatted(run.run(), RunFolder.resume(run.queue(), run.run(), folder)));
        });
  }

  /** How each task ended when it was last run; null where that is not known. */
  @Nullable TaskStatus[] latest() {
    @Nullable TaskStatus[] statuses = new TaskStatus[Math.max(0, (int) header.tasks())];
    for (Part part : parts) {
      long unused =
          ResultsReader.read(
              part.results(),
              result -> {
                int index = part.index().applyAsInt(result.index());
                if (index >= statuses.length) {
                  throw damaged(part.folder());
                }
                statuses[index] = result.status();
              });
    }
    return statuses;
  }
}
