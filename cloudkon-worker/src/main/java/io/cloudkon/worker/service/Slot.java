package io.cloudkon.worker.service;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.health.SickWorkerException;
import io.cloudkon.worker.health.WorkerHealth;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import io.cloudkon.worker.reply.CollectedStore;
import java.time.Duration;
import java.util.List;
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
final class Slot {
  private static final Logger LOG = LoggerFactory.getLogger(Slot.class);

  /**
   * The two ways in which a slot ends its worker at once.
   *
   * @param leave called if a task still runs here that must not start elsewhere
   * @param broken receives the error that broke the slot
   */
  record Ends(Runnable leave, Consumer<Throwable> broken) {}

  private static final Duration END = Duration.ofSeconds(10);

  private final int number;
  private final Inputs inputs;
  private final TaskTries tries;
  private final CollectedStore store;
  private final WorkerStats stats;
  private final ReceivePace pace;
  private final Inbox inbox;
  private final WorkerHealth health;
  private final Ends ends;
  private final LinkedBlockingQueue<Chunk> assigned = new LinkedBlockingQueue<>(1);
  private final Thread thread;
  private volatile @Nullable BundleInHand running;

  /** Set before the interrupt, which an aborted upload may take for its own. */
  private volatile boolean closed;

  /** The chunk that it was given last; used by the worker's loop only. */
  private @Nullable Chunk given;

  Slot(
      int number,
      Inputs inputs,
      TaskTries tries,
      CollectedStore store,
      WorkerStats stats,
      ReceivePace pace,
      Inbox inbox,
      WorkerHealth health,
      Ends ends) {
    this.number = number;
    this.inputs = inputs;
    this.tries = tries;
    this.store = store;
    this.stats = stats;
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
      while (!closed) {
        Chunk chunk = next();
        if (chunk != null) {
          inbox.post(run(chunk));
        }
      }
    } catch (RuntimeException | Error e) {
      ends.broken().accept(e);
    }
  }

  private @Nullable Chunk next() {
    try {
      return assigned.take();
    } catch (InterruptedException e) {
      return null; // closed, or a late interrupt
    }
  }

  /** Drops an interrupt that a call's timer left, which would count as a kill of the next task. */
  private void dropLateInterrupt() {
    if (Thread.interrupted() && closed) {
      Thread.currentThread().interrupt();
    }
  }

  private WorkerEvent run(Chunk chunk) {
    BundleInHand inHand = chunk.inHand();
    running = inHand;
    try (Inputs.Provisions provisions = inputs.provisions(inHand)) {
      while (tries.mayStart(inHand)) {
        dropLateInterrupt();
        int position = chunk.next();
        if (position < 0) {
          break;
        }
        Task task = inHand.task(position);
        int nth = inHand.nextTry(position);
        try {
          EndedTry ended = tries.run(inHand, provisions, task, nth);
          if (!(ended.fails() && nth <= task.retries())) {
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
          boolean again = fails && nth <= task.retries();
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
            if (e.byGuard()) {
              inbox.post(inHand.key(), new BundleEvent.KilledByGuard(Positions.of(position)));
            }
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

  /** Whether the calling thread is this slot's and runs a bundle whose lease is lost. */
  boolean runsLost() {
    BundleInHand bundle = running;
    return Thread.currentThread().equals(thread) && bundle != null && bundle.lost();
  }

  /**
   * Ends the threads of these slots, whose tasks must have been stopped before. Those that do not
   * end within 10 s, for example because a disk does not answer, are left behind: they must not
   * keep the worker's entry and its instance.
   */
  static void end(List<Slot> slots) throws InterruptedException {
    for (Slot slot : slots) {
      slot.closed = true;
      slot.thread.interrupt();
    }
    long deadline = System.nanoTime() + END.toNanos();
    for (Slot slot : slots) {
      Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
      if (!slot.thread.join(left)) {
        LOG.warn("slot {} does not end, it is left behind", slot.number);
      }
    }
  }
}
