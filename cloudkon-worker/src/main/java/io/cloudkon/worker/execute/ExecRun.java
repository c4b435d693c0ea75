package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.hpc.mpi.MpiPorts;
import io.cloudkon.worker.execute.guard.Guard;
import io.cloudkon.worker.execute.guard.GuardedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code exec} tasks, and provides what every class that starts commands needs. */
final class ExecRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExecRun.class);
  private static final int CANNOT_START = 126;

  private final RunnerConfig config;
  private final Guard guard;
  private final Stamps stamps;
  private final Consumer<Task> stuck;
  private final WorkingDirectories directories;
  private final LaunchProbe probe;
  private final CollectedOutcome collected;

  private final CommandThreads threads;

  /**
   * Platform threads for the pipes of commands that are not spawned, and for packing files: both
   * would block the carrier of a virtual thread.
   */
  private final ExecutorService pipes =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().name("cloudkon-pipe-", 1).daemon().factory());

  ExecRun(RunnerConfig config, Guard guard, Stamps stamps, Consumer<Task> stuck) {
    this.config = config;
    this.guard = guard;
    this.stamps = stamps;
    this.stuck = stuck;
    this.threads = new CommandThreads(stamps);
    this.directories =
        new WorkingDirectories(
            config.directory(),
            config.temporary(),
            config.start().user(),
            guard,
            config.overlays().orElse(null));
    this.probe = new LaunchProbe(directories, guard, pipes);
    this.collected = new CollectedOutcome(pipes, config.start().user(), this::scratch);
  }

  boolean mountsShippedFiles() {
    return directories.mount();
  }

  /** A private folder of this process, which no task's user can enter. */
  Path scratch() throws IOException {
    return directories.scratch();
  }

  /** A new file for a command to write to and for the worker to read. */
  Path exchange(String prefix) throws IOException {
    return directories.exchange(prefix);
  }

  /** The time limit of a task on this worker. */
  TimeLimit limit(Task task) {
    return config.limit(task);
  }

  Guard guard() {
    return guard;
  }

  /** Tests what every command needs. */
  LaunchProbe probe() {
    return probe;
  }

  /** The arguments to start with at this site, with a program that is found by these variables. */
  List<String> resolved(List<String> argv, CommandSite site, Map<String, String> environment)
      throws CommandLine.CannotStartException {
    boolean otherUser = config.start().user() != null;
    return CommandLine.resolve(argv, site.directory(), environment, otherUser);
  }

  /** Prepares a command at this site; it starts when its {@link Command} begins. */
  GuardedProcess prepare(CommandSite site, List<String> argv, Map<String, String> environment)
      throws IOException {
    GuardedProcess process = guard.prepare(argv, site.directory(), environment);
    site.process().set(process);
    return process;
  }

  /** The variables that mpiexec and its ranks get besides those that they inherit. */
  Map<String, String> mpiEnvironment(CommandSite site) {
    MpiPorts ports = config.mpiPorts();
    Map<String, String> environment = new HashMap<>(ports == null ? Map.of() : ports.environment());
    environment.keySet().removeAll(site.inherited().keySet());
    environment.putAll(site.environment());
    return environment;
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
   * @param more variables that are added to the task's environment
   */
  TaskOutcome run(
      TaskEnvironment around,
      Task task,
      Work.Exec exec,
      Map<String, String> more,
      Interruption interruption)
      throws TaskInterruptedException, NotStartedException {
    return run(
        around,
        task,
        exec,
        more,
        interruption,
        site -> {
          var argv = resolved(exec.argv(), site, site.whole());
          try (var process = prepare(site, argv, site.environment())) {
            Command command =
                Command.begin(process, exec.stdin(), pipes, site.captureBytes(), this::scratch);
            TaskOutcome outcome =
                settled(
                    task,
                    command,
                    () -> command.run(limit(task), interruption, stamps, site.started()));
            String hint =
                ScriptHint.of(outcome.exitCode(), exec.argv(), site.directory(), site.whole());
            return hint.isEmpty() ? outcome : outcome.saying(hint);
          }
        });
  }

  /**
   * Runs a body in the command's directory, on a command thread. A fault of the command itself
   * becomes its outcome.
   *
   * @throws NotStartedException if anything else kept the command from starting
   */
  TaskOutcome run(
      TaskEnvironment around,
      Task task,
      Work.Exec exec,
      Map<String, String> more,
      Interruption interruption,
      Body body)
      throws TaskInterruptedException, NotStartedException {
    return threads.run(() -> runHere(around, task, exec, more, interruption, body));
  }

  private TaskOutcome runHere(
      TaskEnvironment around,
      Task task,
      Work.Exec exec,
      Map<String, String> more,
      Interruption interruption,
      Body body)
      throws TaskInterruptedException, NotStartedException {
    long begun = stamps.now();
    long started = begun;
    AtomicReference<@Nullable GuardedProcess> process = new AtomicReference<>();
    OwnFiles own = around.own();
    try (var directory = directories.lease(exec.directory(), around.ships(), own, interruption)) {
      around.staged().run();
      started = stamps.now();
      Map<String, String> environment = new HashMap<>(exec.environment());
      environment.put("CLOUDKON_RUN", around.run());
      environment.put("CLOUDKON_TASK", task.id());
      environment.putAll(more);
      int captureBytes = Math.min(config.captureBytes(), around.captureBytes());
      TaskOutcome outcome =
          body.run(
              new CommandSite(
                  directory.path(),
                  environment,
                  config.start().inherited(),
                  captureBytes,
                  started,
                  process));
      if (outcome.status() != TaskStatus.TIMED_OUT && !outcome.stuck()) {
        directory.endedAs(process.get());
      }
      if (!around.ships().isEmpty() || !own.inputs().isEmpty()) {
        outcome = outcome.with(outcome.usage().staged(Math.max(0, started - begun)));
      }
      return collected.of(outcome, own, directory, interruption);
    } catch (CommandLine.CannotStartException e) {
      return TaskOutcome.notStarted(e.exitCode(), e.reason(), started, stamps.now());
    } catch (WorkingDirectories.NoDirectoryException | IllegalArgumentException e) {
      return cannotStart(exec, e, started);
    } catch (IOException e) {
      if (begun(process)) {
        return cannotStart(exec, e, started);
      }
      if (interruption.killed() || Thread.currentThread().isInterrupted()) {
        throw interruption.exception(); // a kill ends the wait for the guard
      }
      Sickness suspicion =
          process.get() == null && LaunchFailures.isOfFiles(e)
              ? new Sickness.Scratch(String.valueOf(e.getMessage()))
              : new Sickness.Processes(String.valueOf(e.getMessage()));
      throw new NotStartedException(suspicion, probe::launch, cannotStart(exec, e, started), e);
    } catch (OutOfMemoryError e) {
      if (begun(process)) {
        throw e;
      }
      throw new NotStartedException(
          new Sickness.Memory(String.valueOf(e.getMessage())),
          probe::launch,
          cannotStart(exec, e, started),
          e);
    }
  }

  private static boolean begun(AtomicReference<@Nullable GuardedProcess> process) {
    GuardedProcess prepared = process.get();
    return prepared != null && prepared.begun();
  }

  private TaskOutcome cannotStart(Work.Exec exec, Throwable why, long started) {
    String error = "cannot start '" + exec.argv().getFirst() + "': " + why.getMessage();
    return TaskOutcome.notStarted(CANNOT_START, error, started, stamps.now());
  }

  /** Waits for a command, and reports it if it outlives its kill. */
  TaskOutcome settled(Task task, Command command, Wait wait) throws TaskInterruptedException {
    try {
      return wait.outcome();
    } finally {
      if (command.stuck()) {
        stuck.accept(task);
      }
    }
  }

  /** Code that runs in a prepared directory. */
  interface Body {
    TaskOutcome run(CommandSite site)
        throws IOException, CommandLine.CannotStartException, TaskInterruptedException;
  }

  /** A wait for a command's end. */
  interface Wait {
    TaskOutcome outcome() throws TaskInterruptedException;
  }

  /** Waits until nothing of commands that have ended is left to be removed. */
  void settle() {
    directories.settle();
  }

  @Override
  public void close() {
    directories.close();
    threads.close();
    pipes.shutdownNow();
    try {
      // not forever: a process that cannot be found may hold a pipe open
      if (!pipes.awaitTermination(1, TimeUnit.SECONDS)) {
        LOG.warn("a process outside its group still holds the output of a command");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
