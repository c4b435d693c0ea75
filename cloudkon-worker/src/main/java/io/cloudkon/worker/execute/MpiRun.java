package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.hpc.mpi.HydraCommand;
import io.cloudkon.hpc.mpi.HydraOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs mpiexec for a whole MPI job. mpiexec launches no ranks itself, but collects their output.
 */
final class MpiRun {
  private final ExecRun exec;
  private final MpiexecSearch search;

  /**
   * A runner that has not searched for mpiexec yet.
   *
   * @param environment the worker's environment, by which mpiexec is found
   */
  MpiRun(ExecRun exec, Map<String, String> environment) {
    this.exec = exec;
    this.search = new MpiexecSearch(exec, environment);
  }

  TaskOutcome run(
      TaskEnvironment around, Task task, Work.Exec work, MpiJob job, Interruption interruption)
      throws TaskInterruptedException, NotStartedException {
    String why = "the job was interrupted before mpiexec had printed its launch lines";
    try {
      Map<String, String> more = Map.of("CLOUDKON_SIZE", Integer.toString(job.ranks()));
      TaskOutcome outcome =
          exec.run(
              around,
              task,
              work,
              more,
              interruption,
              site -> run(site, task, work, job, interruption));
      why = outcome.error().isEmpty() ? "mpiexec ended without launch lines" : outcome.error();
      return outcome;
    } catch (NotStartedException e) {
      why = e.outcome().error();
      throw e;
    } finally {
      job.unusable(why);
    }
  }

  private TaskOutcome run(
      CommandSite site, Task task, Work.Exec work, MpiJob job, Interruption interruption)
      throws IOException, CommandLine.CannotStartException, TaskInterruptedException {
    // found here only for a clear error; each rank's shell finds it again on its own machine
    List<String> program = exec.resolved(work.argv(), site, ranksSee(work, site));
    String mpiexec = search.find(site);
    List<String> argv = new HydraCommand(mpiexec, job.ranks(), job.address(), program).argv();
    List<String> started = exec.resolved(argv, site, site.whole());
    try (var process = exec.prepare(site, started, exec.mpiEnvironment(site))) {
      HydraOutput output = new HydraOutput(job.ranks(), new Lines(job));
      Command command =
          Command.begin(
              process,
              work.stdin(),
              exec.pipes(),
              site.captureBytes(),
              exec::scratch,
              printed -> new RankOutput(output, printed));
      TaskOutcome ended =
          inTime(
              exec.settled(task, command, () -> watched(site, task, command, job, interruption)),
              exec.limit(task));
      return ended.status() == TaskStatus.FAILED
          ? output
              .death()
              .map(how -> ended.as(TaskStatus.FAILED, ended.exitCode(), death(ended, how)))
              .orElse(ended)
          : ended;
    }
  }

  /**
   * A job that fails after its time limit has exceeded it: the ranks on other workers have the same
   * limit, and mpiexec may notice their end before this worker notices that the time is over.
   */
  static TaskOutcome inTime(TaskOutcome ended, TimeLimit limit) {
    return ended.status() == TaskStatus.FAILED && isOver(ended, limit)
        ? timedOut(ended, limit)
        : ended;
  }

  private static TaskOutcome timedOut(TaskOutcome ended, TimeLimit limit) {
    return ended.as(TaskStatus.TIMED_OUT, ended.exitCode(), limit.exceeded());
  }

  private static boolean isOver(TaskOutcome ended, TimeLimit limit) {
    long took = ended.finishedMicros() - ended.startedMicros();
    return limit.millis() > 0 && took >= TimeUnit.MILLISECONDS.toMicros(limit.millis());
  }

  /**
   * The outcome of a job that was ended when its time was over: on a busy machine the end of its
   * ranks elsewhere may come first, and ends mpiexec. Empty if it had time left.
   */
  static Optional<TaskOutcome> outOfTime(TaskInterruptedException ended, TimeLimit limit) {
    return Optional.ofNullable(ended.unfinished())
        .filter(outcome -> isOver(outcome, limit))
        .map(outcome -> timedOut(outcome, limit));
  }

  /** Runs mpiexec until it ends, or until the job has a reason to end it. */
  private TaskOutcome watched(
      CommandSite site, Task task, Command command, MpiJob job, Interruption interruption)
      throws TaskInterruptedException {
    Interruption own = new Interruption();
    Thread watch =
        Thread.ofVirtual()
            .name("mpi-watch")
            .start(() -> {
              try {
                own.kill(job.awaitTrouble());
              } catch (InterruptedException e) {
                // mpiexec has ended: there is nothing left to watch
              }
            });
    try (var _ = interruption.onKill(() -> own.kill("the job was interrupted"))) {
      return command.run(exec.limit(task), own, exec.stamps(), site.started());
    } catch (TaskInterruptedException e) {
      Optional<TaskOutcome> late = outOfTime(e, exec.limit(task));
      if (late.isPresent()) {
        return late.get();
      }
      if (interruption.killed()) {
        TaskOutcome unfinished = e.unfinished(); // its receiver frees what it holds
        throw unfinished == null ? interruption.exception() : interruption.exception(unfinished);
      }
      if (!own.killed()) {
        throw e;
      }
      return command.failed(String.valueOf(e.getMessage()), exec.stamps(), site.started());
    } finally {
      watch.interrupt();
      TaskWatch.join(watch);
    }
  }

  /**
   * The environment for finding the program: the task's variables, and of the worker's only PATH.
   */
  private static Map<String, String> ranksSee(Work.Exec work, CommandSite site) {
    Map<String, String> environment = new HashMap<>(work.environment());
    String path = site.whole().get("PATH");
    if (path != null) {
      environment.put("PATH", path);
    }
    return environment;
  }

  private static String death(TaskOutcome ended, String how) {
    return "a rank died: %s; mpiexec: %s".formatted(how, Texts.exited(ended.exitCode()));
  }

  /** Passes launch lines to the job. Called by the thread that reads mpiexec's output. */
  private record Lines(MpiJob job) implements HydraOutput.Listener {
    @Override
    public void launch(List<String> lines) {
      job.launched(lines);
    }

    @Override
    public void unusable(String why) {
      job.unusable(why);
    }
  }
}
