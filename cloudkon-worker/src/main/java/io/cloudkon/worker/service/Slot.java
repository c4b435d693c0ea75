package io.cloudkon.worker.service;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
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
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.CollectedStore;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A slot: a virtual thread that runs the tasks that it is given, one after the other. If it breaks
 * for lack of memory, the worker is told.
 */
final class Slot implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Slot.class);

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

  /**
   * The two ways in which a slot ends its worker at once.
   *
   * @param leave called if a task still runs here that must not start elsewhere
   * @param broken receives the error that broke the slot
   */
  record Ends(Runnable leave, Consumer<Throwable> broken) {}

  private final int number;
  private final Inputs inputs;
  private final TaskRunner runner;
  private final CollectedStore store;
  private final WorkerStats stats;
  private final TimeSource time;
  private final Pulse pulse;
  private final ReceivePace pace;
  private final Inbox inbox;
  private final WorkerHealth health;
  private final Ends ends;
  private final LinkedBlockingQueue<Chunk> assigned = new LinkedBlockingQueue<>(1);
  private final Thread thread;
  private volatile @Nullable BundleInHand running;

  /** The chunk that it was given last; used by the worker's loop only. */
  private @Nullable Chunk given;

  Slot(
      int number,
      Inputs inputs,
      TaskRunner runner,
      CollectedStore store,
      WorkerStats stats,
      TimeSource time,
      Pulse pulse,
      ReceivePace pace,
      Inbox inbox,
      WorkerHealth health,
      Ends ends) {
    this.number = number;
    this.inputs = inputs;
    this.runner = runner;
    this.store = store;
    this.stats = stats;
    this.time = time;
    this.pulse = pulse;
    this.pace = pace;
    this.health = health;
    this.ends = ends;
    this.inbox = inbox;
    this.thread = Thread.ofVirtual().name("cloudkon-slot-" + number).start(this::work);
  }

  /**
   * Gives work to the slot, which must be free. Called by the worker's loop only, like {@link
   * #cut}.
   */
  void run(BundleInHand inHand, Positions tasks) {
    Chunk chunk = new Chunk(number, inHand, tasks);
    given = chunk;
    assigned.add(chunk);
  }

  /** Reports what has finished and gives back what has not started; a running task continues. */
  void cut() {
    Chunk chunk = given;
    if (chunk != null) {
      inbox.post(new WorkerEvent.ChunkCut(chunk.take(stats)));
    }
  }

  private void work() {
    try {
      while (true) {
        inbox.post(run(assigned.take()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      ends.broken().accept(e);
    }
  }

  private WorkerEvent run(Chunk chunk) {
    BundleInHand inHand = chunk.inHand();
    running = inHand;
    try (Inputs.Provisions provisions = inputs.provisions(inHand)) {
      while (mayStart(inHand)) {
        int position = chunk.next();
        if (position < 0) {
          break;
        }
        Task task = inHand.task(position);
        int tries = inHand.nextTry(position);
        try {
          EndedTry ended = run(inHand, provisions, task, tries);
          if (!(ended.fails() && tries <= task.retries())) {
            Optional<EndedTry> delivered = ended.delivered(inHand, store);
            if (delivered.isEmpty()) {
              chunk.killed(position);
              continue;
            }
            ended = delivered.get();
          }
          ended.collected().release();
          TaskResult result = ended.result();
          inHand.result(position, result);
          boolean fails = ended.fails();
          boolean again = fails && tries <= task.retries();
          if (again) {
            inHand.tryFailed(position);
          }
          chunk.finished(position, result, fails, again, task.work());
        } catch (TaskInterruptedException e) {
          if (e.unfinished() != null) {
            e.unfinished().spools().release();
          }
          if (e.stuck() && wouldRunBesideItself(inHand)) {
            // The task still counts as running, so that its claim is not released and its lease
            // runs out.
            ends.leave().run();
          } else {
            chunk.killed(position);
          }
        } catch (SickWorkerException e) {
          chunk.givenUp(position);
          if (e.hindrance().hiddenMillis() > 0) {
            LOG.debug("bundle {}: {}", inHand.header().bundle(), e.hindrance().reason());
            pace.hindered(inHand.key());
          }
          inbox.post(
              inHand.key(),
              new BundleEvent.Sick(
                  Positions.of(position),
                  e.hindrance().reason(),
                  health.sick() ? 0 : e.hindrance().hiddenMillis()));
        } catch (GivenUpException e) {
          chunk.givenUp(position);
        }
      }
    }
    return chunk.take(stats);
  }

  /**
   * Whether another worker would start a task that still runs here, although it must not. In
   * at-most-once the task becomes LOST, in at-least-once it may run twice, and an abandoned bundle
   * is settled already.
   */
  private static boolean wouldRunBesideItself(BundleInHand inHand) {
    return inHand.header().consistency() == Consistency.EXACTLY_ONCE && !inHand.abandoned();
  }

  private boolean mayStart(BundleInHand inHand) {
    return pulse.allows(inHand) && !inHand.interruption().killed() && !health.sick();
  }

  /** Runs a task. Any error ends the task and not the slot, whose end would go unnoticed. */
  private EndedTry run(BundleInHand inHand, Inputs.Provisions provisions, Task task, int tries)
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
        return new EndedTry(own, false);
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
    Task complete = provisions.complete(task);
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

  /** Whether the calling thread is this slot's and runs a bundle whose lease is lost. */
  boolean runsLost() {
    BundleInHand bundle = running;
    return Thread.currentThread().equals(thread) && bundle != null && bundle.lost();
  }

  /** Ends the thread; its task must have been stopped before. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
