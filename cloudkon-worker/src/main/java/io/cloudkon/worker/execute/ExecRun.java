package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code exec} tasks. */
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

  TaskOutcome run(Surroundings around, Task task, Work.Exec exec, Interruption interruption)
      throws TaskInterruptedException {
    WorkingDirectories.Lease directory;
    try {
      directory = directories.lease(exec.directory(), around.ships(), interruption);
    } catch (IOException | IllegalArgumentException e) {
      return cannotStart(exec, e, stamps.now());
    }
    try (directory) {
      return runIn(directory, around, task, exec, interruption);
    }
  }

  private TaskOutcome runIn(
      WorkingDirectories.Lease directory,
      Surroundings around,
      Task task,
      Work.Exec exec,
      Interruption interruption)
      throws TaskInterruptedException {
    long started = stamps.now();
    try {
      Map<String, String> environment = environment(around.run(), task, exec);
      Map<String, String> whole = new HashMap<>(System.getenv());
      whole.putAll(environment);
      List<String> argv = CommandLine.resolve(exec.argv(), directory.path(), whole);
      int captureBytes = Math.min(config.captureBytes(), around.captureBytes());
      try (var process = guard.start(argv, directory.path(), environment)) {
        Command command = new Command(process, exec.stdin(), pipes, captureBytes);
        try {
          return command.run(task, interruption, stamps, started);
        } finally {
          if (command.stuck()) {
            stuck.accept(task);
          }
        }
      }
    } catch (CommandLine.CannotStartException e) {
      return TaskOutcome.notStarted(e.exitCode(), e.reason(), started, stamps.now());
    } catch (IOException | IllegalArgumentException e) {
      return cannotStart(exec, e, started);
    }
  }

  private TaskOutcome cannotStart(Work.Exec exec, Exception why, long started) {
    String error = "cannot start '" + exec.argv().getFirst() + "': " + why.getMessage();
    return TaskOutcome.notStarted(CANNOT_START, error, started, stamps.now());
  }

  private static Map<String, String> environment(String run, Task task, Work.Exec exec) {
    Map<String, String> environment = new HashMap<>(exec.environment());
    environment.put("CLOUDKON_RUN", run);
    environment.put("CLOUDKON_TASK", task.id());
    return environment;
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
