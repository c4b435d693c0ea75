package io.cloudkon.client.workload;

import static java.util.Objects.requireNonNull;

import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a parser found on one line; the same object is reused for every line. The
 * checking pass needs no words ({@link #building} is false) and so creates no garbage for text
 * lines of usual length.
 */
final class TaskDraft {
  private static final byte[] NOTHING = {};

  /**
   * The longest line whose task certainly fits into a message: two bytes of text become at most
   * three.
   */
  private static final int FITTING_LINE_BYTES = Limits.TASK_BYTES / 2;

  private final boolean always;

  /** Whether a task will be created from this draft, so that its words must be kept. */
  boolean building;

  /** Whether the task must be created to find out whether it fits into a message. */
  boolean mayBeLarge;

  /** The ranks of an HPC job; 0 for a task. */
  int ranks;

  /** Whether the ranks form an MPI program. */
  boolean mpi;

  /** Program and arguments, or a handler and its arguments. */
  final List<String> words = new ArrayList<>();

  final Map<String, String> environment = new LinkedHashMap<>();

  Work.@Nullable Kind kind;
  @Nullable String id;
  @Nullable String directory;

  /** Paths of files that only this task needs. */
  final List<String> files = new ArrayList<>();

  /** Patterns of the files that it returns; null if the line does not set them. */
  @Nullable List<String> collect;

  /** The values that tell the task apart for a person; they do not belong to the task. */
  final List<String> values = new ArrayList<>();

  byte[] stdin = NOTHING;
  long sleepMillis;
  long timeoutMillis;
  int retries = Task.RUNS_RETRIES;

  TaskDraft(boolean building) {
    this.always = building;
    this.building = building;
  }

  /** Prepares for a line of that many bytes. */
  void begin(int lineBytes) {
    mayBeLarge = lineBytes > FITTING_LINE_BYTES;
    building = always || mayBeLarge;
  }

  void clear() {
    words.clear();
    environment.clear();
    ranks = 0;
    mpi = false;
    kind = null;
    id = null;
    directory = null;
    files.clear();
    collect = null;
    values.clear();
    stdin = NOTHING;
    sleepMillis = 0;
    timeoutMillis = 0;
    retries = Task.RUNS_RETRIES;
  }

  /** Adds the words that run a command line in the shell. */
  void shell(String line) {
    words.add("/bin/sh");
    words.add("-c");
    words.add(line);
  }

  /** The kind of work of an accepted draft; for an HPC job, the kind of each rank's work. */
  Work.Kind acceptedKind() {
    return requireNonNull(kind, "kind");
  }

  /** Creates the task; if the line has no id, its number is the id. */
  Task task(int ordinal, long line) {
    Task task =
        new Task(ordinal, id != null ? id : Long.toString(line), work(), timeoutMillis, retries);
    return hasFiles() ? task.with(taskFiles()) : task;
  }

  /** Whether it needs its own files, or says which files it returns. */
  boolean hasFiles() {
    return !files.isEmpty() || collect != null;
  }

  /** Whether it starts outside the task's own directory. */
  boolean startsElsewhere() {
    return directory != null && directory.startsWith("/");
  }

  private TaskFiles taskFiles() {
    return new TaskFiles(files.stream().map(InputFile::notStored).toList(), collect);
  }

  private Work work() {
    return ranks == 0 ? each() : new Work.Hpc(ranks, mpi, each());
  }

  private Work each() {
    return switch (acceptedKind()) {
      case NOOP -> Work.Noop.INSTANCE;
      case SLEEP -> new Work.Sleep(sleepMillis);
      case EXEC -> new Work.Exec(words, directory, environment, stdin);
      case JAVA -> new Work.JavaCall(words.getFirst(), words.subList(1, words.size()));
    };
  }
}
