package io.cloudkon.client.rerun;

import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalReader;
import io.cloudkon.client.report.RerunFolders;
import io.cloudkon.client.report.ResultRecord;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.process.Launcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntUnaryOperator;

/**
 * A run and its reruns, in the order in which they were submitted. Immutable.
 *
 * @param header the header of the first one's journal
 * @param parts the runs, starting with the first one
 * @param next the folder of the next rerun
 */
public record RunHistory(RunHeader header, List<Part> parts, Path next) {
  public RunHistory {
    parts = List.copyOf(parts);
  }

  /**
   * One run of a history.
   *
   * @param folder the folder of its files
   * @param index the position of each of its tasks in the first run's workload
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
   * @throws UsageException if no run was submitted with this folder, or it is a rerun's
   */
  public static RunHistory of(Path folder) {
    RunHeader header =
        header(folder)
            .orElseThrow(() ->
                new UsageException(
                    "%s: it contains no journal of what was submitted; expected a run's folder"
                        .formatted(folder)));
    if (Files.exists(folder.resolve(RerunFile.NAME))) {
      throw new UsageException(
          "%s is a rerun's folder; name that of the first run, %s"
              .formatted(folder, folder.toAbsolutePath().normalize().getParent()));
    }
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(folder, IntUnaryOperator.identity()));
    SortedMap<Integer, Path> reruns = RerunFolders.in(folder);
    for (Path rerun : reruns.values()) {
      RerunFile.read(rerun, header).ifPresent(of -> parts.add(new Part(rerun, place(of, rerun))));
    }
    int number = reruns.isEmpty() ? 1 : reruns.lastKey() + 1;
    return new RunHistory(header, parts, RerunFolders.of(folder, number));
  }

  /**
   * The header of the run in a folder, with the number of tasks also where they came one by one;
   * empty if its journal has none.
   */
  public static Optional<RunHeader> header(Path folder) {
    return RunFolder.headerIn(folder).map(found -> counted(found, folder));
  }

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
    return new LocalFileException(
        "%s has a result of a task that its run does not have; restore the file"
            .formatted(folder.resolve(RunFolder.RESULTS)));
  }

  /** The folder of the first run. */
  public Path folder() {
    return parts.getFirst().folder();
  }

  /**
   * Checks that none of the runs is still going on. An interrupted run in a process of this machine
   * is over, because it cannot be resumed.
   *
   * @param abandoned whether a run of a cluster counts as over if no client on this machine is
   *     working on it, because the user knows that the cluster is gone
   * @throws UsageException if one of the runs is not over
   */
  public void requireOver(boolean abandoned) {
    parts.forEach(part -> requireOver(part.folder(), abandoned));
    for (Path rerun : RerunFolders.in(folder()).values()) {
      if (!FolderState.hasJournal(rerun)) {
        throw new UsageException(
            "%s has no journal: a rerun is starting there, or died while it started; if none is running, remove the folder"
                .formatted(rerun));
      }
    }
  }

  private static void requireOver(Path folder, boolean abandoned) {
    FolderState state = FolderState.of(folder);
    Optional<RunHeader> header = RunFolder.headerIn(folder);
    if (state == FolderState.ATTENDED) {
      throw new UsageException(
          "%s in %s is still running; expected one that is over"
              .formatted(header.map(run -> "run '" + run.run() + "'").orElse("the run"), folder));
    }
    header
        .filter(run -> !abandoned && state == FolderState.LEFT && !run.queue().equals(Names.LOCAL))
        .ifPresent(run -> {
          throw new UsageException(
              run.digest().isEmpty()
                  ? "run '%s' is not over; cancel it first: %s cancel -s %s %1$s"
                      .formatted(run.run(), Launcher.name(), run.queue())
                  : "run '%s' is not over; resume it first: %s; or, if its cluster is gone, rerun it with --abandoned"
                      .formatted(run.run(), Resuming.command(run, folder)));
        });
  }

  /** The tasks that may have been sent, in the run or a rerun: no other task can have run. */
  BitSet sent() {
    BitSet sent = new BitSet();
    for (Part part : parts) {
      long unused =
          JournalReader.read(
              part.folder().resolve(RunFolder.JOURNAL),
              entry -> {
                if (entry instanceof BundleRange bundle) {
                  for (int task = 0; task < bundle.tasks(); task++) {
                    sent.set(part.index().applyAsInt(bundle.firstOrdinal() + task));
                  }
                }
              });
    }
    return sent;
  }

  /** The latest status of each task. */
  LatestStatuses latest() {
    LatestStatuses statuses = new LatestStatuses(header.tasks());
    for (Part part : parts) {
      long unused =
          ResultsReader.read(
              part.results(),
              result -> {
                int index = part.index().applyAsInt(result.index());
                if (index >= statuses.tasks()) {
                  throw damaged(part.folder());
                }
                if (statuses.of(index) == null
                    || !ResultRecord.neverRan(result.status().name(), result.worker())) {
                  statuses.set(index, result.status());
                }
              });
    }
    return statuses;
  }
}
