package io.cloudkon.client.answers;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.SentWorkload;
import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.process.ShellWord;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a run's tasks, read from its workload and shown as a person would write them. If
 * they are requested in the order of the tasks, the workload is read once. Not thread safe.
 */
final class Commands implements Closeable {
  private static final List<String> SHELL = List.of("/bin/sh", "-c");

  private final Workload workload;
  private @Nullable TaskReader reader;
  private @Nullable Task task;
  private @Nullable Lines lines;

  private Commands(Workload workload) {
    this.workload = workload;
  }

  /** The offset and the number of each task's line. */
  private record Lines(long[] offsets, long[] numbers) {

    static Lines of(Workload workload) {
      int tasks = workload.summary().map(WorkloadSummary::tasks).orElse(0);
      Lines lines = new Lines(new long[tasks], new long[tasks]);
      try (TaskReader reader = workload.read()) {
        for (int i = 0; reader.next() != null; i++) {
          lines.offsets[i] = reader.offset();
          lines.numbers[i] = reader.line();
        }
      }
      return lines;
    }
  }

  /**
   * Opens the commands of a run, from the copy in its folder or from the file that was sent.
   *
   * @return empty if neither file exists unchanged
   */
  static Optional<Commands> of(RunHeader run, Path folder) {
    return SentWorkload.open(run, folder).map(Commands::new);
  }

  /** Allows requests in any order; takes 16 bytes of memory per task. */
  void inAnyOrder() {
    lines = Lines.of(workload);
  }

  /**
   * A task's command.
   *
   * @param index its place in the workload; must increase from call to call, unless {@link
   *     #inAnyOrder} was called
   */
  String of(int index) {
    Task found = lines == null ? following(index) : at(index, lines);
    return found == null ? "" : text(found.work());
  }

  private @Nullable Task following(int index) {
    if (reader == null) {
      reader = workload.read();
    }
    while (task == null || task.ordinal() < index) {
      task = reader.next();
      if (task == null) {
        return null;
      }
    }
    return task;
  }

  private @Nullable Task at(int index, Lines all) {
    if (index >= all.offsets.length) {
      return null;
    }
    try (TaskReader one = workload.readOne(all.offsets[index], index, all.numbers[index])) {
      return one.next();
    }
  }

  private static String text(Work work) {
    return switch (work) {
      case Work.Noop noop -> "noop";
      case Work.Sleep sleep -> "sleep " + sleep.millis();
      case Work.Exec exec -> command(exec.argv());
      case Work.JavaCall call -> "java %s %s".formatted(call.handler(), words(call.args())).strip();
      case Work.Stored stored -> "";
      case Work.Hpc hpc ->
          (hpc.mpi() ? "mpi %d %s" : "hpc %d %s").formatted(hpc.ranks(), text(hpc.each()));
    };
  }

  private static String command(List<String> argv) {
    return argv.size() == 3 && argv.subList(0, 2).equals(SHELL) ? argv.getLast() : words(argv);
  }

  private static String words(List<String> words) {
    return words.stream().map(ShellWord::of).collect(Collectors.joining(" "));
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
    workload.close();
  }
}
