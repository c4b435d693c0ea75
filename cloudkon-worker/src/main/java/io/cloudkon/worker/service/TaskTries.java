package io.cloudkon.worker.service;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.RunningTask;
import io.cloudkon.worker.health.SickWorkerException;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs single tries of tasks: provides what a task needs, starts it, and tells a fault of the
 * worker from one of the task. Thread safe; used by all slots.
 */
final class TaskTries {
  private static final Logger LOG = LoggerFactory.getLogger(TaskTries.class);

  /**
   * The maximum number of starts of a task that fails before its first instruction on a healthy
   * worker.
   */
  private static final int STARTS = 2;

  /**
   * The outcome of a task.
   *
   * @param forGood whether it must not be tried again
   */
  private record Ended(TaskOutcome outcome, boolean forGood) {}

  private final TaskRunner runner;
  private final WorkerStats stats;
  private final TimeSource time;
  private final Pulse pulse;
  private final ReceivePace pace;
  private final WorkerHealth health;

  /**
   * Tries that the lease's pulse allows.
   *
   * @param pace learns that a task has what it needs
   */
  TaskTries(
      TaskRunner runner,
      WorkerStats stats,
      TimeSource time,
      Pulse pulse,
      ReceivePace pace,
      WorkerHealth health) {
    this.runner = runner;
    this.stats = stats;
    this.time = time;
    this.pulse = pulse;
    this.pace = pace;
    this.health = health;
  }

  /** Whether a task of the bundle may start here now. */
  boolean mayStart(BundleInHand inHand) {
    return pulse.allows(inHand) && !inHand.interruption().killed() && !health.sick();
  }

  /** Runs a task. Any error ends the task and not its slot, whose end would go unnoticed. */
  EndedTry run(BundleInHand inHand, Inputs.Provisions provisions, Task task, int tries)
      throws TaskInterruptedException, GivenUpException, SickWorkerException {
    try {
      return start(inHand, provisions, task, tries, 1);
    } catch (RuntimeException | Error e) {
      LOG.error("task {} of bundle {} could not be run", task.id(), inHand.header().bundle(), e);
      return new EndedTry(Outcomes.workerFailed(task, e, time.wallMicros(), tries), false);
    }
  }

  /**
   * Starts a task. If it fails before its first instruction although the worker is healthy, starts
   * it once more, because another task may have filled the disk at that moment.
   */
  private EndedTry start(
      BundleInHand inHand, Inputs.Provisions provisions, Task task, int tries, int starts)
      throws TaskInterruptedException, GivenUpException, SickWorkerException {
    TaskResult own;
    Optional<StartHindrance> hindrance;
    try (Staging staging =
        Staging.begin(stats, time, runner.allows(task) && Staging.isOf(inHand, task))) {
      Ended ended = outcome(inHand, provisions, task, staging);
      TaskOutcome outcome = ended.outcome();
      boolean last = ended.forGood() || outcome.stuck();
      TaskResult result = staging.stamped(result(inHand, task, outcome, tries));
      return new EndedTry(result, last, outcome.collected());
    } catch (InputException e) {
      own = Outcomes.lacking(task, e.reason(), time.wallMicros(), tries);
      hindrance = StartHindrance.of(e, health);
      if (hindrance.isEmpty() && e.suspicion().isEmpty()) {
        return new EndedTry(own, e.lasting());
      }
    } catch (NotStartedException e) {
      own = result(inHand, task, e.outcome(), tries);
      hindrance = StartHindrance.of(e, health);
    }
    if (hindrance.isPresent()) {
      throw new SickWorkerException(hindrance.get());
    }
    return starts < STARTS && mayStart(inHand)
        ? start(inHand, provisions, task, tries, starts + 1)
        : new EndedTry(own, false);
  }

  private static TaskResult result(BundleInHand inHand, Task task, TaskOutcome outcome, int tries) {
    return Outcomes.result(task, outcome, inHand.header().captureBytes(), tries);
  }

  /**
   * Fetches the inputs and runs the task; fetches nothing for a task that the worker refuses to
   * run.
   */
  private Ended outcome(
      BundleInHand inHand, Inputs.Provisions provisions, Task task, Staging staging)
      throws TaskInterruptedException, InputException, GivenUpException, NotStartedException {
    if (!runner.allows(task)) {
      TaskEnvironment none = TaskEnvironment.bare(inHand.header().run(), 0);
      return new Ended(runner.run(none, task, inHand.interruption()), false);
    }
    TaskEnvironment around = staging.told(provisions.around(task));
    Task complete = provisions.completeInTurn(task);
    boolean waited =
        task.work() instanceof Work.Stored
            || !around.ships().isEmpty()
            || !around.own().inputs().isEmpty();
    if (waited && !mayStart(inHand)) {
      throw new GivenUpException();
    }
    pace.starts();
    return switch (task.work().kind()) {
      case NOOP, SLEEP -> new Ended(runner.run(around, complete, inHand.interruption()), false);
      case EXEC, JAVA -> runWatched(inHand, around, complete);
    };
  }

  /** Runs a task that may make its worker sick. */
  private Ended runWatched(BundleInHand inHand, TaskEnvironment around, Task task)
      throws TaskInterruptedException, NotStartedException {
    try (RunningTask watched = health.running(inHand.interruption())) {
      try {
        return new Ended(runner.run(around, task, watched.interruption()), false);
      } catch (TaskInterruptedException e) {
        if (e.stuck()) {
          watched.runsOn();
          throw e;
        }
        if (!watched.madeWorkerSick()) {
          throw e;
        }
        return new Ended(Outcomes.madeWorkerSick(e, time.wallMicros()), true);
      }
    }
  }
}
