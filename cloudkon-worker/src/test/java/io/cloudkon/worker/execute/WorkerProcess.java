package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import io.cloudkon.worker.execute.guard.Guards;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A JVM to be killed: four slots that run one shell line again and again under a guard, and a
 * heartbeat. Writes how each task ended to the file {@code ends} of its folder.
 */
final class WorkerProcess implements AutoCloseable {
  private static final int SLOTS = 4;

  final Process jvm;
  final Path folder;

  private WorkerProcess(Process jvm, Path folder) {
    this.jvm = jvm;
    this.folder = folder;
  }

  static WorkerProcess start(
      Guards guards, Path folder, Duration deadline, String line, long timeoutMillis)
      throws IOException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName(),
                guards.name(),
                folder.toString(),
                Long.toString(deadline.toMillis()),
                line,
                Long.toString(timeoutMillis))
            .inheritIO()
            .start();
    return new WorkerProcess(jvm, folder);
  }

  Path pids() {
    return folder.resolve("pids");
  }

  Path ends() {
    return folder.resolve("ends");
  }

  @Override
  public void close() {
    jvm.destroyForcibly();
  }

  public static void main(String[] args) {
    Path folder = Path.of(args[1]);
    Duration deadline = Duration.ofMillis(Long.parseLong(args[2]));
    Guard guard = Guards.valueOf(args[0]).guard(deadline);
    TaskRunner runner =
        new TaskRunner(
            RunnerConfig.DEFAULT, HandlerRegistry.builtIn(), Clock.systemUTC(), t -> {}, guard);
    Executors.newSingleThreadScheduledExecutor()
        .scheduleAtFixedRate(guard::beat, 0, deadline.toMillis() / 8, TimeUnit.MILLISECONDS);
    Task task = Tasks.timed(Work.Exec.shell(args[3]), Long.parseLong(args[4]));
    for (int i = 0; i < SLOTS; i++) {
      Thread.ofPlatform().start(() -> slot(runner, folder, task));
    }
  }

  private static void slot(TaskRunner runner, Path folder, Task task) {
    while (true) {
      String end;
      try {
        end =
            runner
                .run(TaskEnvironment.bare("a-run", 1000), task, new Interruption())
                .status()
                .name();
      } catch (TaskInterruptedException | NotStartedException e) {
        end = String.valueOf(e.getMessage());
      }
      append(folder.resolve("ends"), end);
    }
  }

  private static synchronized void append(Path file, String line) {
    try {
      Files.write(file, List.of(line), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
