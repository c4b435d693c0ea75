package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

/** A runner as a worker holds it: slots on virtual threads, one interruption for all its tasks. */
public final class Runs implements AutoCloseable {
  /** Nothing beats here, so the guard has to wait longer than a test takes on a busy machine. */
  public static final RunnerConfig CONFIG =
      new RunnerConfig(
          RunnerConfig.DEFAULT.allowed(),
          RunnerConfig.DEFAULT.captureBytes(),
          null,
          Duration.ofMinutes(10));

  final Interruption interruption = new Interruption();
  final List<Task> stuck = new CopyOnWriteArrayList<>();
  final HandlerRegistry handlers;
  final TaskRunner runner;

  Runs(RunnerConfig config) {
    this(config, HandlerRegistry.builtIn(), new Guard(config.guardDeadline(), config.start()));
  }

  Runs(RunnerConfig config, HandlerRegistry handlers, Guard guard) {
    this.handlers = handlers;
    this.runner = new TaskRunner(config, handlers, Clock.systemUTC(), stuck::add, guard);
  }

  static RunnerConfig config(int captureBytes, Path directory) {
    return new RunnerConfig(CONFIG.allowed(), captureBytes, directory, CONFIG.guardDeadline());
  }

  TaskOutcome run(Task task) throws TaskInterruptedException {
    return run(TaskEnvironment.bare("a-run", Limits.CAPTURE_BYTES), task);
  }

  TaskOutcome run(TaskEnvironment around, Task task) throws TaskInterruptedException {
    try {
      return runner.run(around, task, interruption);
    } catch (NotStartedException e) {
      return e.outcome();
    }
  }

  /** Runs it in a slot of its own. */
  CompletableFuture<TaskOutcome> start(Task task) {
    return start(TaskEnvironment.bare("a-run", Limits.CAPTURE_BYTES), task);
  }

  /** The same with more around it. */
  CompletableFuture<TaskOutcome> start(TaskEnvironment around, Task task) {
    CompletableFuture<TaskOutcome> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("slot")
        .start(() -> {
          try {
            outcome.complete(run(around, task));
          } catch (Throwable t) {
            outcome.completeExceptionally(t);
          }
        });
    return outcome;
  }

  static Throwable failure(CompletableFuture<?> outcome) {
    return outcome
        .handle((value, thrown) -> thrown instanceof CompletionException c ? c.getCause() : thrown)
        .join();
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  @Override
  public void close() throws IOException {
    interruption.kill("the test is over");
    runner.close();
    handlers.close();
  }
}
