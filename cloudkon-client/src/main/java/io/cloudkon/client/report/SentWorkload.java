package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.error.CloudKonException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Reopens the workload with which a run was submitted. Stateless. */
public final class SentWorkload {
  /** The name of a workload that was on standard input, or in anything else than a file. */
  public static final String STANDARD_INPUT = "-";

  private SentWorkload() {}

  /**
   * Opens the copy in the run's folder, or else the file that was sent; the caller closes it.
   *
   * @return empty if neither exists unchanged; {@link #why} gives the reason
   */
  public static Optional<Workload> open(RunHeader run, Path folder) {
    return KeptWorkload.in(folder)
        .flatMap(copy -> open(copy.toString(), run))
        .or(() -> open(run.file(), run));
  }

  /** Whether the copy in the run's folder is what was sent. */
  public static boolean isKept(RunHeader run, Path folder) {
    return KeptWorkload.in(folder)
        .flatMap(copy -> open(copy.toString(), run))
        .map(workload -> {
          workload.close();
          return true;
        })
        .orElse(false);
  }

  /**
   * Whether what was sent is, or was, in a file: neither a stream nor standard input, nor a pipe,
   * for whose writer a reader would wait.
   */
  public static boolean isInFile(RunHeader run) {
    return run.isFromFile() && isFile(run.file());
  }

  /**
   * Whether a workload's name is, or was, the path of a file: neither of standard input, nor of a
   * pipe, a device or a folder.
   */
  public static boolean isFile(String file) {
    Path path = Path.of(file);
    return !file.equals(STANDARD_INPUT)
        && !isOfProcess(path)
        && (!Files.exists(path) || Files.isRegularFile(path));
  }

  /** Whether a path means what this process has open, and something else in another one. */
  private static boolean isOfProcess(Path path) {
    return path.startsWith("/proc") || path.startsWith("/dev/fd") || path.endsWith("/dev/stdin");
  }

  private static Optional<Workload> open(String file, RunHeader run) {
    if (!run.isFromFile() || !isFile(file)) {
      return Optional.empty();
    }
    try {
      if (run.spooled()) {
        return Optional.of(openSpool(Path.of(file)));
      }
      Workload workload = Workload.open(file, InputStream.nullInputStream(), WorkloadFormat.AUTO);
      if (workload.summary().map(WorkloadSummary::sha256).orElse("").equals(run.digest())) {
        return Optional.of(workload);
      }
      workload.close();
    } catch (CloudKonException e) {
      // it is missing or no valid workload any more
    }
    return Optional.empty();
  }

  /**
   * Opens the tasks of a run that came one by one, as its client left them in its folder.
   *
   * @throws io.cloudkon.core.error.UsageException if they cannot be read
   */
  public static Workload openSpool(Path file) {
    return Workload.openSpool(file, () -> sentTasks(file.resolveSibling(RunFolder.JOURNAL)));
  }

  private static long sentTasks(Path journal) {
    AtomicLong tasks = new AtomicLong();
    long unused =
        JournalReader.read(
            journal,
            entry -> {
              if (entry instanceof JournalEntry.BundleRange range) {
                tasks.set((long) range.firstOrdinal() + range.tasks());
              }
            });
    return tasks.get();
  }

  /** Why the workload cannot be opened. */
  public static String why(RunHeader run) {
    return isInFile(run)
        ? "%s is missing, or has changed since it was sent".formatted(run.file())
        : "the workload was not in a file";
  }
}
