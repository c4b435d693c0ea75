package io.cloudkon.simulator.client;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.function.BooleanSupplier;

/** Makes the queue of a run's results, and another one where it is gone. */
final class SimReplyQueue {
  private final World world;
  private final SimProcess process;
  private final HeldRun held;
  private final Journal journal;
  private final LeaseWait lease;
  private final BooleanSupplier inVain;
  private int queues;
  private boolean replacing;

  /**
   * Makes queues for one client.
   *
   * @param inVain whether nobody needs a queue any more
   */
  SimReplyQueue(
      World world,
      SimProcess process,
      HeldRun held,
      Journal journal,
      LeaseWait lease,
      BooleanSupplier inVain) {
    this.world = world;
    this.process = process;
    this.held = held;
    this.journal = journal;
    this.lease = lease;
    this.inVain = inVain;
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

  /** Moves the run to another queue, unless that is under way. */
  void replace(Runnable moved) {
    if (!replacing) {
      replacing = true;
      String other = "Q-response-" + process.name() + "-" + ++queues;
      journal.moved(other);
      held.moveTo(
          other, () -> process.effect(() -> "makes " + other, () -> makeOther(other, moved)));
    }
  }

  /** To be stopped between this look and the call is nothing that could be fenced. */
  private void makeOther(String queue, Runnable moved) {
    lease.until(
        inVain,
        () -> {
          var unused = world.cloud().createResponses(queue);
          process.in(
              0,
              () -> {
                replacing = false;
                moved.run();
              });
        });
  }
}
