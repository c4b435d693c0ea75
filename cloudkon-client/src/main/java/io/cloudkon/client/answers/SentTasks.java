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
 * The tasks of a run as a person would write them, read from its workload. If they are requested in
 * the order of the tasks, the workload is read once. Not thread safe.
 */
final class SentTasks implements Closeable {
  private static final List<String> SHELL = List.of("/bin/sh", "-c");

  private final Workload workload;
  private @Nullable TaskReader reader;
  private @Nullable Task task;
  private @Nullable Lines lines;

  private SentTasks(Workload workload) {
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
   * Opens the tasks of a run, from the copy in its folder or from the file that was sent.
   *
   * @return empty if neither file exists unchanged
   */
  static Optional<SentTasks> of(RunHeader run, Path folder) {
    return SentWorkload.open(run, folder).map(SentTasks::new);
  }

  /** Allows requests in any order; takes 16 bytes of memory per task. */
  void inAnyOrder() {
    lines = Lines.of(workload);
  }

  /** The number of values of the first task. */
  int values() {
    try (TaskReader first = workload.read()) {
      return first.next() == null ? 0 : first.values().size();
    }
  }

  /** The largest number of values of a task; reads the whole workload. */
  int mostValues() {
    int most = 0;
    try (TaskReader all = workload.read()) {
      while (all.next() != null) {
        most = Math.max(most, all.values().size());
      }
    }
    return most;
  }

  /**
   * A task.
   *
   * @param index its place in the workload; must increase from call to call, unless {@link
   *     #inAnyOrder} was called
   */
  SentTask of(int index) {
    return lines == null ? following(index) : at(index, lines);
  }

  private SentTask following(int index) {
    if (reader == null) {
      reader = workload.read();
    }
    while (task == null || task.ordinal() < index) {
      task = reader.next();
      if (task == null) {
        return SentTask.UNKNOWN;
      }
    }
    return sent(task, reader);
  }

  private SentTask at(int index, Lines all) {
    if (index >= all.offsets.length) {
      return SentTask.UNKNOWN;
    }
    try (TaskReader one = workload.readOne(all.offsets[index], index, all.numbers[index])) {
      @Nullable Task found = one.next();
      return found == null ? SentTask.UNKNOWN : sent(found, one);
    }
  }

  private static SentTask sent(Task task, TaskReader reader) {
    return new SentTask(text(task.work()), reader.values());
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
