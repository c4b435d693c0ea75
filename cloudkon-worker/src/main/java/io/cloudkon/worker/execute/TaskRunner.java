package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs one task at a time for each slot that calls it. Thread safe; made for callers on virtual
 * threads, of which {@link Carriers} must provide for enough.
 *
 * <p>A {@code java} handler runs on a virtual thread of its own, so that {@link #run} returns even
 * if the handler ignores its interruption: that thread is then given up and {@code stuck} is told.
 * Commands run under a {@link Guard}, which the worker's heartbeat must feed.
 */
public final class TaskRunner implements AutoCloseable {
  private final RunnerConfig config;
  private final Stamps stamps;
  private final Guard guard;
  private final JavaRun javaRun;
  private final ExecRun execRun;

  /**
   * Starts nothing yet: the guard's process comes with the first command.
   *
   * @param handlers stays the caller's to close, after this
   * @param clock for the stamps of outcomes only; limits are kept on the monotonic clock
   * @param stuck told once of each task that could not be stopped within its grace (a handler 1 s,
   *     a command 5 s after its SIGKILL), in the slot's thread: the worker must drain and end
   *     itself
   */
  public TaskRunner(
      RunnerConfig config, HandlerRegistry handlers, InstantSource clock, Consumer<Task> stuck) {
    this(config, handlers, clock, stuck, new Guard(config.guardDeadline()));
  }

  TaskRunner(
      RunnerConfig config,
      HandlerRegistry handlers,
      InstantSource clock,
      Consumer<Task> stuck,
      Guard guard) {
    this.config = config;
    this.stamps = new Stamps(clock);
    this.guard = guard;
    this.javaRun = new JavaRun(handlers, config.captureBytes(), stamps, stuck);
    this.execRun = new ExecRun(config, guard, stamps, stuck);
  }

  /** What keeps commands alive: the heartbeat calls its {@code beat} while it holds its leases. */
  public Guard guard() {
    return guard;
  }

  /**
   * A folder of this process alone; removed when this is closed, and by the guard if the process is
   * killed.
   *
   * @throws IOException if it cannot be made, or no guard can be started
   */
  public Path scratch() throws IOException {
    return execRun.scratch();
  }

  /** Whether it runs tasks of this kind at all. */
  public boolean allows(Task task) {
    return config.allowed().contains(task.work().kind());
  }

  /**
   * Runs one try of a task and returns when it has ended.
   *
   * @param around what it finds besides what the worker has
   * @param task with its work at hand: not one that is still in the blob store
   * @throws TaskInterruptedException if it was killed before it ended: it has no outcome then
   */
  public TaskOutcome run(Surroundings around, Task task, Interruption interruption)
      throws TaskInterruptedException {
    interruption.check();
    Work work = task.work();
    if (!allows(task)) {
      return refused(work.kind());
    }
    return switch (work) {
      case Work.Noop _ -> noop();
      case Work.Sleep sleep -> sleep(sleep.millis(), task.timeoutMillis(), interruption);
      case Work.JavaCall call -> javaRun.run(around, task, call, interruption);
      case Work.Exec exec -> execRun.run(around, task, exec, interruption);
      case Work.Stored stored ->
          throw new IllegalStateException(
              "task %s is still in the blob store".formatted(task.id()));
    };
  }

  private TaskOutcome noop() {
    long now = stamps.now();
    return TaskOutcome.plain(TaskStatus.SUCCEEDED, "", now, now);
  }

  private TaskOutcome refused(Work.Kind kind) {
    long now = stamps.now();
    String name = kind.name().toLowerCase(Locale.ROOT);
    String error =
        "this worker does not run " + name + " tasks (--allow " + config.allowList() + ")";
    return TaskOutcome.plain(TaskStatus.FAILED, error, now, now);
  }

  private TaskOutcome sleep(long millis, long timeoutMillis, Interruption interruption)
      throws TaskInterruptedException {
    long started = stamps.now();
    boolean tooLong = timeoutMillis != 0 && timeoutMillis < millis;
    long nanos = TimeUnit.MILLISECONDS.toNanos(tooLong ? timeoutMillis : millis);
    Watch.End end = Watch.await(() -> false, Deadline.after(nanos), interruption);
    if (end == Watch.End.KILLED) {
      throw interruption.exception();
    }
    return tooLong
        ? TaskOutcome.plain(
            TaskStatus.TIMED_OUT, Texts.timedOut(timeoutMillis), started, stamps.now())
        : TaskOutcome.plain(TaskStatus.SUCCEEDED, "", started, stamps.now());
  }

  /** Kills what commands are left and ends the guard. Slots should have ended before. */
  @Override
  public void close() {
    guard.close();
    execRun.close();
  }
}
