package io.cloudkon.worker.execute;

import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs one task at a time for each slot that calls it. Thread safe; made for callers on virtual
 * threads, for which {@link Carriers} must provide enough carriers.
 *
 * <p>A {@code java} handler runs on a virtual thread of its own, so that {@link #run} returns even
 * if the handler ignores its interruption: that thread is then abandoned, and {@code stuck}
 * receives the task. Commands run under a {@link Guard}, which the worker's heartbeat must feed.
 */
public final class TaskRunner implements AutoCloseable {
  private final RunnerConfig config;
  private final Set<Work.Kind> allowed;
  private final Stamps stamps;
  private final Guard guard;
  private final JavaRun javaRun;
  private final ExecRun execRun;
  private final MpiRank mpiRank;
  private final MpiRun mpiRun;

  /**
   * Starts nothing yet: the guard's process starts with the first command.
   *
   * @param handlers the handlers, which the caller closes after this runner
   * @param clock the clock for the timestamps of outcomes only; time limits use the monotonic clock
   * @param stuck receives each task that could not be stopped within its grace period (a handler 1
   *     s, a command 5 s after its SIGKILL), once: the worker must drain and end itself
   */
  public TaskRunner(
      RunnerConfig config, HandlerRegistry handlers, InstantSource clock, Consumer<Task> stuck) {
    this(config, handlers, clock, stuck, new Guard(config.guardDeadline(), config.start()));
  }

  TaskRunner(
      RunnerConfig config,
      HandlerRegistry handlers,
      InstantSource clock,
      Consumer<Task> stuck,
      Guard guard) {
    this.config = config;
    this.allowed = AllowedWork.kinds(config.allowed());
    this.stamps = new Stamps(clock);
    this.guard = guard;
    this.javaRun = new JavaRun(handlers, config, stamps, stuck);
    this.execRun = new ExecRun(config, guard, stamps, stuck);
    this.mpiRank = new MpiRank(execRun);
    this.mpiRun = new MpiRun(execRun, config.start().inherited());
  }

  /**
   * The guard, which keeps commands alive: the heartbeat calls its {@code beat} while it holds its
   * leases.
   */
  public Guard guard() {
    return guard;
  }

  /**
   * A private folder of this process; removed when this is closed, and by the guard if the process
   * is killed.
   *
   * @throws IOException if it cannot be created, or no guard can be started
   */
  public Path scratch() throws IOException {
    return execRun.scratch();
  }

  /** Whether commands see shipped files themselves, by a mount, and not copies of them. */
  public boolean mountsShippedFiles() {
    return execRun.mountsShippedFiles();
  }

  /** Whether it runs tasks of this kind at all. */
  public boolean allows(Task task) {
    return allowed.contains(task.work().kind());
  }

  /**
   * Runs one attempt at a task and returns when it has ended.
   *
   * @param around its environment, apart from what the worker has
   * @param task the task, whose work must not be in the blob store any more
   * @throws TaskInterruptedException if it was killed before it ended: it has no outcome then
   * @throws NotStartedException if it failed before its first instruction, and not by what it is
   */
  public TaskOutcome run(TaskEnvironment around, Task task, Interruption interruption)
      throws TaskInterruptedException, NotStartedException {
    interruption.check();
    Work work = task.work();
    if (!allows(task)) {
      return refused(work.kind());
    }
    return switch (work) {
      case Work.Noop _ -> noop();
      case Work.Sleep sleep -> sleep(sleep.millis(), config.limit(task), interruption);
      case Work.JavaCall call -> javaRun.run(around, task, call, null, interruption);
      case Work.Exec exec -> execRun.run(around, task, exec, Map.of(), interruption);
      case Work.Hpc hpc ->
          throw new IllegalStateException(
              "task %s has ranks, each of which runs in a slot of its own".formatted(task.id()));
      case Work.Stored stored ->
          throw new IllegalStateException(
              "task %s is still in the blob store".formatted(task.id()));
    };
  }

  /**
   * Runs one rank of an HPC job and returns when it has ended, as {@link #run(TaskEnvironment,
   * Task, Interruption)} does with a task: time limit, kills, kept output and stuck handlers are
   * the same. A {@code java} rank calls the handler for ranks of its name, or else the one for
   * tasks. The rank of an MPI program writes its output through mpiexec, and its outcome has the
   * exit code of its program.
   *
   * @param task the job; if its work is not that of an HPC job, this rank does that work
   */
  public TaskOutcome run(
      TaskEnvironment around, Task task, Interruption interruption, RankPlace place)
      throws TaskInterruptedException, NotStartedException {
    interruption.check();
    if (!allows(task)) {
      return refused(task.work().kind());
    }
    Work each = task.work() instanceof Work.Hpc hpc ? hpc.each() : task.work();
    TaskEnvironment ofRank = around.with(OwnFiles.NONE);
    return switch (each) {
      case Work.Noop _ -> noop();
      case Work.Sleep sleep -> sleep(sleep.millis(), config.limit(task), interruption);
      case Work.JavaCall call -> javaRun.run(around, task, call, place, interruption);
      case Work.Exec exec ->
          place.launch().isEmpty()
              ? execRun.run(ofRank, task, exec, place.environment(), interruption)
              : mpiRank.run(ofRank, task, exec, place, interruption);
      case Work.Hpc _ -> throw new IllegalStateException("a rank is no HPC job itself");
      case Work.Stored _ ->
          throw new IllegalStateException(
              "the work of job %s is still in the blob store".formatted(task.id()));
    };
  }

  /**
   * Runs the mpiexec of a whole MPI job and returns when it has ended: its output and exit code are
   * the job's. It needs hardly any CPU time. The ranks are run by {@link #run(TaskEnvironment,
   * Task, Interruption, RankPlace)}, here or on other workers, with the launch lines that the job
   * then has. Once this returns or throws, ranks that still run belong to no job and must be
   * killed.
   *
   * @param task the job; its time limit holds for mpiexec
   * @throws TaskInterruptedException if it was killed before it ended: it has no outcome then
   * @throws NotStartedException if it failed before its first instruction, and not by what it is
   */
  public TaskOutcome mpiexec(
      TaskEnvironment around, Task task, Interruption interruption, MpiJob job)
      throws TaskInterruptedException, NotStartedException {
    if (!(task.work() instanceof Work.Hpc hpc) || !(hpc.each() instanceof Work.Exec exec)) {
      throw new IllegalArgumentException(
          "job %s is no MPI program, but %s".formatted(task.id(), task.work()));
    }
    if (!allows(task)) {
      TaskOutcome refused = refused(task.work().kind());
      job.unusable(refused.error());
      return refused;
    }
    try {
      interruption.check();
    } catch (TaskInterruptedException e) {
      job.unusable(String.valueOf(e.getMessage()));
      throw e;
    }
    return mpiRun.run(around.with(OwnFiles.NONE), task, exec, job, interruption);
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

  private TaskOutcome sleep(long millis, TimeLimit limit, Interruption interruption)
      throws TaskInterruptedException {
    long started = stamps.now();
    boolean tooLong = limit.millis() != 0 && limit.millis() < millis;
    long nanos = TimeUnit.MILLISECONDS.toNanos(tooLong ? limit.millis() : millis);
    TaskWatch.End end = TaskWatch.await(() -> false, Deadline.after(nanos), interruption);
    if (end == TaskWatch.End.KILLED) {
      throw interruption.exception();
    }
    return tooLong
        ? TaskOutcome.plain(TaskStatus.TIMED_OUT, limit.exceeded(), started, stamps.now())
        : TaskOutcome.plain(TaskStatus.SUCCEEDED, "", started, stamps.now());
  }

  /** Kills the remaining commands and ends the guard. Slots should have ended before. */
  @Override
  public void close() {
    execRun.settle(); // the guard removes the same directories
    guard.close();
    execRun.close();
  }
}
