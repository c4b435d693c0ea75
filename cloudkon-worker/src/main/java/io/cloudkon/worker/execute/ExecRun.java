package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code exec} tasks, and is where all that starts commands finds what they need. */
final class ExecRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecRun.class);
  private static final int CANNOT_START = 126;

  private final RunnerConfig config;
  private final Guard guard;
  private final Stamps stamps;
  private final Consumer<Task> stuck;
  private final WorkingDirectories directories;

  /**
   * Reads and writes of pipes block the thread that carries a virtual one, so they have real ones.
   */
  private final ExecutorService pipes =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("cloudkon-pipe-", 1).daemon().factory());

  ExecRun(RunnerConfig config, Guard guard, Stamps stamps, Consumer<Task> stuck) {
    this.config = config;
    this.guard = guard;
    this.stamps = stamps;
    this.stuck = stuck;
    this.directories = new WorkingDirectories(config.directory(), guard);
  }

  /** A folder of this process alone. */
  Path scratch() throws IOException {
    return directories.scratch();
  }

  Guard guard() {
    return guard;
  }

  Stamps stamps() {
    return stamps;
  }

  ExecutorService pipes() {
    return pipes;
  }

  /**
   * Runs the command itself.
   *
   * @param more added to the task's environment
   */
  TaskOutcome run(
      Surroundings around,
      Task task,
      Work.Exec exec,
      Map<String, String> more,
      Interruption interruption)
      throws TaskInterruptedException {
    return run(
        around,
        task,
        exec,
        more,
        interruption,
        site -> {
          var argv = CommandLine.resolve(exec.argv(), site.directory(), site.whole());
          try (var process = guard.start(argv, site.directory(), site.environment())) {
            Command command = new Command(process, exec.stdin(), pipes, site.captureBytes());
            return settled(
                task, command, () -> command.run(task, interruption, stamps, site.started()));
          }
        });
  }

  /** Runs something where the command would run; whatever keeps it from starting is its outcome. */
  TaskOutcome run(
      Surroundings around,
      Task task,
      Work.Exec exec,
      Map<String, String> more,
      Interruption interruption,
      Body body)
      throws TaskInterruptedException {
    long started = stamps.now();
    try (var directory = directories.lease(exec.directory(), around.ships(), interruption)) {
      started = stamps.now();
      Map<String, String> environment = new HashMap<>(exec.environment());
      environment.put("CLOUDKON_RUN", around.run());
      environment.put("CLOUDKON_TASK", task.id());
      environment.putAll(more);
      int captureBytes = Math.min(config.captureBytes(), around.captureBytes());
      return body.run(new Site(directory.path(), environment, captureBytes, started));
    } catch (CommandLine.CannotStartException e) {
      return TaskOutcome.notStarted(e.exitCode(), e.reason(), started, stamps.now());
    } catch (IOException | IllegalArgumentException e) {
      String error = "cannot start '" + exec.argv().getFirst() + "': " + e.getMessage();
      return TaskOutcome.notStarted(CANNOT_START, error, started, stamps.now());
    }
  }

  /** Waits for a command, and tells of one that outlives its kill. */
  TaskOutcome settled(Task task, Command command, Wait wait) throws TaskInterruptedException {
    try {
      return wait.outcome();
    } finally {
      if (command.stuck()) {
        stuck.accept(task);
      }
    }
  }

  /** What is run in a directory made ready for it. */
  interface Body {
    TaskOutcome run(Site site)
        throws IOException, CommandLine.CannotStartException, TaskInterruptedException;
  }

  /** A wait for a command's end. */
  interface Wait {
    TaskOutcome outcome() throws TaskInterruptedException;
  }

  /**
   * Where and how a command starts.
   *
   * @param environment added to the worker's own
   * @param captureBytes how much of each output is kept
   * @param started epoch microseconds
   */
  record Site(Path directory, Map<String, String> environment, int captureBytes, long started) {

    /** The whole environment that the command will find. */
    Map<String, String> whole() {
      Map<String, String> whole = new HashMap<>(System.getenv());
      whole.putAll(environment);
      return whole;
    }
  }

  @Override
  public void close() {
    directories.close();
    pipes.shutdownNow();
    try {
      // not for ever: a process that nobody can find may hold a pipe open
      if (!pipes.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("a process outside its group still holds the output of a command");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
