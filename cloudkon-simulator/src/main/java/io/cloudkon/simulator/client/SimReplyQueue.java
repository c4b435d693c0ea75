package io.cloudkon.simulator.client;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes the queue of a run's results, and another one where it is gone. */
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
   * Makes queues for one client.
   *
   * @param inVain whether nobody needs a queue any more
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

  /** Published before it is there: who dies in between leaves no queue that nobody knows of. */
  void make(Runnable made) {
    lease.until(inVain, () -> process.effect(() -> "makes " + held.queue(), () -> makeNow(made)));
  }

  /** The lease may have run out since: then the call is made anew. */
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

  /** Begins a move of the run to another queue, unless one has begun. */
  void replace() {
    if (held.next().isEmpty()) {
      String other = "Q-response-" + process.name() + "-" + ++queues;
      journal.moved(other);
      held.moving(other);
      goOnMoving();
    }
  }

  /** Publishes and makes the other queue of a move that has begun, unless that is under way. */
  void goOnMoving() {
    Optional<String> next = held.next();
    if (next.isPresent() && !moves) {
      moves = true;
      String other = next.get();
      held.moveTo(other, () -> process.effect(() -> "makes " + other, () -> makeOther(other)));
    }
  }

  /** To be stopped between this look and the call is nothing that could be fenced. */
  private void makeOther(String other) {
    lease.until(
        inVain,
        () -> {
          boolean made = world.cloud().tryCreateResponses(other);
          if (made) {
            held.moved(other);
          }
          process.in(0, () -> answered(made));
        });
  }

  /** What has failed goes on with the next receive. */
  private void answered(boolean made) {
    moves = false;
    if (made) {
      moved.run();
    }
  }
}
