package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.ShippedFiles;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.FileTrees;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.HandlerSource;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.Mounting;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of shipped files for a command. In one slot and without a queue, it alternates
 * with the same command without files. Then a whole run is measured ({@link ShipTrial}).
 */
final class ShipBenchmark implements Benchmark {
  private static final int FILES_A_FOLDER = 100;
  private static final int FILE_BYTES = 8 * 1024;

  /** The maximum cost per task if files are mounted, in milliseconds. */
  private static final double MOUNTED_GOAL = 1;

  /** A number of files, and the maximum cost per task if they are copied, in milliseconds. */
  private record Case(int files, double goal) {}

  private static final List<Case> CASES =
      List.of(new Case(1, 1), new Case(500, 5), new Case(50_000, 50));

  @Override
  public String name() {
    return "ship";
  }

  @Override
  public String what() {
    return "what a command pays for finding shipped files as if they were fresh, and a whole run"
        + " that ships";
  }

  @Override
  public void run(Setting setting) throws IOException, InterruptedException {
    int tasks = setting.tasks(200, 20);
    setting.say("  medians of %d tasks, each of which writes one file of its own", tasks);
    List<Case> cases = setting.quick() ? CASES.subList(0, CASES.size() - 1) : CASES;
    for (Case each : cases) {
      Path ship = place(setting, each);
      make(ship, each.files());
      FileTrees.protect(ship);
    }
    for (Mounting way : List.of(Mounting.ON, Mounting.OFF)) {
      RunnerConfig config = RunnerConfig.DEFAULT.with(way);
      ShippedFiles provided = config.shippedFiles();
      if (way == Mounting.OFF || provided == ShippedFiles.MOUNTED) {
        run(setting, config, provided, cases, tasks);
      } else {
        setting.say("  no mounts: they need Linux and root");
      }
    }
    ShipTrial.run(setting);
  }

  private static void run(
      Setting setting, RunnerConfig config, ShippedFiles provided, List<Case> cases, int tasks)
      throws IOException, InterruptedException {
    HandlerRegistry handlers = HandlerRegistry.builtIn();
    try (TaskRunner runner = new TaskRunner(config, handlers, Clock.systemUTC(), task -> {});
        ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor()) {
      var unused = heart.scheduleAtFixedRate(runner.guard()::beat, 0, 1, TimeUnit.SECONDS);
      setting.say("  %s", provided.text());
      setting.say("  files    first task     bare    with them       cost");
      for (Case each : cases) {
        double goal = provided == ShippedFiles.MOUNTED ? MOUNTED_GOAL : each.goal();
        run(setting, runner, new Case(each.files(), goal), place(setting, each), tasks);
      }
      heart.shutdownNow();
    } finally {
      handlers.close();
    }
  }

  /** In a folder of its own, as a worker unpacks it. */
  private static Path place(Setting setting, Case each) {
    return setting.scratch().resolve(each.files() + "-files").resolve("data");
  }

  private static void make(Path ship, int files) throws IOException {
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < files; i++) {
      Path folder = ship.resolve("d" + i / FILES_A_FOLDER);
      Files.createDirectories(folder);
      Files.write(folder.resolve("f" + i), content);
    }
  }

  private static void run(Setting setting, TaskRunner runner, Case each, Path ship, int tasks)
      throws InterruptedException {
    TaskEnvironment bare = TaskEnvironment.bare("bench", Limits.DEFAULT_CAPTURE_BYTES);
    TaskEnvironment with =
        new TaskEnvironment(
            "bench", Limits.DEFAULT_CAPTURE_BYTES, List.of(ship), HandlerSource.OWN);
    double first = millis(runner, with);
    double second = millis(runner, with); // checks the contents once, because they were just copied
    double[] alone = new double[tasks];
    double[] shipped = new double[tasks];
    for (int i = 0; i < tasks; i++) {
      alone[i] = millis(runner, bare);
      shipped[i] = millis(runner, with);
    }
    double cost = LonelyLoop.median(shipped) - LonelyLoop.median(alone);
    setting.say(
        "%7d  %9.1f ms  %4.1f ms  %8.1f ms  %6.1f ms",
        each.files(), first, LonelyLoop.median(alone), LonelyLoop.median(shipped), cost);
    setting.goal(
        "at most %.0f ms for %,d file(s) (the second task: %.1f ms)"
            .formatted(each.goal(), each.files(), second),
        cost <= each.goal());
  }

  private static double millis(TaskRunner runner, TaskEnvironment around)
      throws InterruptedException {
    Task task =
        new Task(
            0,
            "1",
            new Work.Exec(List.of("touch", "result"), null, Map.of(), new byte[0]),
            0,
            Task.RUNS_RETRIES);
    long start = System.nanoTime();
    try {
      TaskOutcome outcome = runner.run(around, task, new Interruption());
      if (outcome.status() != TaskStatus.SUCCEEDED) {
        throw new CloudKonException("the command failed: " + outcome.error());
      }
    } catch (NotStartedException e) {
      throw new CloudKonException("no command can be started", e);
    } catch (TaskInterruptedException e) {
      throw (InterruptedException) new InterruptedException().initCause(e);
    }
    return (System.nanoTime() - start) / 1e6;
  }
}
