package io.cloudkon.worker.service;

import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.execute.Surroundings;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.BitSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slot: a virtual thread that runs the tasks it is given, one after the other. Should it break
 * for lack of memory, the worker is told.
 */
final class Slot implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Slot.class);

  private record Assignment(BundleInHand inHand, Positions tasks) {}

  /**
   * How a try ended.
   *
   * @param last whether there may be no other: this one could not be stopped, and may run on
   */
  private record Try(TaskResult result, boolean last) {}

  private final int number;
  private final Inputs inputs;
  private final TaskRunner runner;
  private final WorkerStats stats;
  private final TimeSource time;
  private final Pulse pulse;
  private final Inbox inbox;
  private final Consumer<Throwable> broken;
  private final LinkedBlockingQueue<Assignment> assigned = new LinkedBlockingQueue<>(1);
  private final Thread thread;
  private volatile @Nullable BundleInHand running;

  Slot(
      int number,
      Inputs inputs,
      TaskRunner runner,
      WorkerStats stats,
      TimeSource time,
      Pulse pulse,
      Inbox inbox,
      Consumer<Throwable> broken) {
    this.number = number;
    this.inputs = inputs;
    this.runner = runner;
    this.stats = stats;
    this.time = time;
    this.pulse = pulse;
    this.broken = broken;
    this.inbox = inbox;
    this.thread = Thread.ofVirtual().name("cloudkon-slot-" + number).start(this::work);
  }

  /** Gives it work; the slot must be free. */
  void run(BundleInHand inHand, Positions tasks) {
    assigned.add(new Assignment(inHand, tasks));
  }

  private void work() {
    try {
      while (true) {
        Assignment assignment = assigned.take();
        inbox.post(run(assignment));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      broken.accept(e);
    }
  }

  private WorkerEvent run(Assignment assignment) {
    BundleInHand inHand = assignment.inHand();
    running = inHand;
    BitSet finished = new BitSet();
    BitSet failed = new BitSet();
    BitSet notStarted = new BitSet();
    BitSet killed = new BitSet();
    Samples samples = new Samples();
    long bytes = 0;
    int forGood = 0;
    int[] positions = assignment.tasks().stream().toArray();
    try (Inputs.Provisions provisions = inputs.provisions(inHand)) {
      for (int position : positions) {
        if (!mayStart(inHand)) {
          notStarted.set(position);
          continue;
        }
        Task task = inHand.task(position);
        int tries = inHand.nextTry(position);
        try {
          Try ended = run(inHand, provisions, task, tries);
          TaskResult result = ended.result();
          inHand.result(position, result);
          finished.set(position);
          bytes += ResultCodec.sizeOf(result);
          samples.add(task.work(), result.finishedMicros() - result.startedMicros());
          if (result.status() == TaskStatus.SUCCEEDED || ended.last()) {
            forGood++;
          } else {
            failed.set(position);
            if (tries <= task.retries()) {
              inHand.tryFailed(position);
            } else {
              forGood++;
            }
          }
        } catch (TaskInterruptedException e) {
          killed.set(position);
        } catch (GivenUpException e) {
          notStarted.set(position);
        }
      }
    }
    stats.finished(forGood);
    return new WorkerEvent.SlotFree(
        number,
        inHand.key(),
        Positions.of(finished),
        bytes,
        Positions.of(notStarted),
        Positions.of(killed),
        samples.list(),
        Positions.of(failed));
  }

  private boolean mayStart(BundleInHand inHand) {
    return pulse.allows(inHand) && !inHand.interruption().killed();
  }

  /** Whatever goes wrong is the task's end and not the slot's, which nobody would miss. */
  private Try run(BundleInHand inHand, Inputs.Provisions provisions, Task task, int tries)
      throws TaskInterruptedException, GivenUpException {
    try {
      TaskOutcome outcome = outcome(inHand, provisions, task);
      TaskResult result = Outcomes.result(task, outcome, inHand.header().captureBytes(), tries);
      return new Try(result, outcome.stuck());
    } catch (InputException e) {
      return new Try(Outcomes.lacking(task, e.reason(), time.wallMicros(), tries), false);
    } catch (RuntimeException | Error e) {
      LOG.error("task {} of bundle {} could not be run", task.id(), inHand.header().bundle(), e);
      return new Try(Outcomes.workerFailed(task, e, time.wallMicros(), tries), false);
    }
  }

  /** What a worker refuses to run is not fetched before. */
  private TaskOutcome outcome(BundleInHand inHand, Inputs.Provisions provisions, Task task)
      throws TaskInterruptedException, InputException, GivenUpException {
    if (!runner.allows(task)) {
      Surroundings none = Surroundings.bare(inHand.header().run(), 0);
      return runner.run(none, task, inHand.interruption());
    }
    Surroundings around = provisions.around(task);
    Task complete = provisions.complete(task);
    boolean waited = task.work() instanceof Work.Stored || !around.ships().isEmpty();
    if (waited && !mayStart(inHand)) {
      throw new GivenUpException();
    }
    return runner.run(around, complete, inHand.interruption());
  }

  /** Whether the calling thread is this slot's, and runs a bundle whose lease is lost. */
  boolean runsLost() {
    BundleInHand bundle = running;
    return Thread.currentThread().equals(thread) && bundle != null && bundle.lost();
  }

  /** Ends the thread; what it runs is expected to have been stopped before. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
