package io.cloudkon.simulator.client;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Creates the queue of a run's results, and a replacement if it is gone. */
final class SimReplyQueue {
  private final World world;
  private final SimProcess process;
  private final SimHeldRun held;
  private final SimJournal journal;
  private final LeaseWait lease;
  private final BooleanSupplier inVain;
  private final Runnable moved;
  private int queues;
  private boolean moves;

  /**
   * A creator of queues for one client.
   *
   * @param inVain whether no queue is needed any more
   * @param moved called when results go to another queue
   */
  SimReplyQueue(
      World world,
      SimProcess process,
      SimHeldRun held,
      SimJournal journal,
      LeaseWait lease,
      BooleanSupplier inVain,
      Runnable moved) {
    this.world = world;
    this.process = process;
    this.held = held;
    this.journal = journal;
    this.lease = lease;
    this.inVain = inVain;
    this.moved = moved;
  }

  /**
   * Creates the queue. The run was published before, so that a client that dies in between leaves
   * no unknown queue.
   */
  void make(Runnable made) {
    lease.until(inVain, () -> process.effect(() -> "makes " + held.queue(), () -> makeNow(made)));
  }

  /** Creates the queue now. If the lease has expired since, starts anew. */
  private void makeNow(Runnable made) {
    if (inVain.getAsBoolean()) {
      return;
    }
    if (!held.valid()) {
      lease.later(() -> make(made));
      return;
    }
    var unused = world.cloud().createResponses(held.queue());
    made.run();
  }

  /** Begins a move of the run to another queue, unless a move has begun. */
  void replace() {
    if (held.next().isEmpty()) {
      String other = "Q-response-" + process.name() + "-" + ++queues;
      journal.moved(other);
      held.moving(other);
      goOnMoving();
    }
  }

  /** Publishes and creates the target queue of a move that has begun, unless that is under way. */
  void goOnMoving() {
    Optional<String> next = held.next();
    if (next.isPresent() && !moves) {
      moves = true;
      String other = next.get();
      held.moveTo(other, () -> process.effect(() -> "makes " + other, () -> makeOther(other)));
    }
  }

  /**
   * Creates the target queue. A stop between the check of the lease and the call cannot be fenced.
   */
  private void makeOther(String other) {
    lease.until(
        inVain,
        () -> {
          boolean made = world.cloud().tryCreateResponses(process, other);
          if (made) {
            held.moved(other);
          }
          process.in(0, () -> answered(made));
        });
  }

  /** Ends this try; a failed one is repeated at the next receive. */
  private void answered(boolean made) {
    moves = false;
    if (made) {
      moved.run();
    }
  }
}
