package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.ResponseQueues;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run and its client's lease of it: published, taken over, and from then on kept. */
final class SimHeldRun {
  private static final long AGAIN = LeaseMachine.RETRY_MILLIS * 1000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final LeaseSettings lease;
  private final SimRemainingWork remains;
  private final Consumer<Over> over;
  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable SimLease kept;
  private ResponseQueues queues;

  /** Why a client no longer works on its run. */
  enum Over {
    CANCELLED,
    TAKEN_OVER
  }

  SimHeldRun(
      World world,
      SimProcess process,
      SimRun run,
      LeaseSettings lease,
      SimRemainingWork remains,
      String queue,
      Consumer<Over> over) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.lease = lease;
    this.remains = remains;
    this.queues = new ResponseQueues(lease, queue);
    this.over = over;
    this.names.add(queue);
  }

  /** Where results go. */
  String queue() {
    return queues.current();
  }

  /** Results went to these before, by the journal: they are read, and removed in the end. */
  void alsoRead(Collection<String> before) {
    names.addAll(before);
    before.forEach(queues::alsoRead);
  }

  /** The queues that are to be read besides {@link #queue}. */
  List<String> former() {
    return queues.former();
  }

  /** Whether nothing has come from former queues for so long. */
  boolean quiet(long millis, Moment now) {
    return queues.quiet(millis, now);
  }

  /** A receive from this queue came back. */
  void answered(String queue, int messages, Moment begun, long waitMillis) {
    queues.answered(queue, messages, begun, waitMillis, process.now());
  }

  /** A receive from this queue failed. */
  void failed(String queue) {
    queues.failed(queue, process.now());
  }

  /** A receive found no such queue; says whether it is believed that there is none. */
  boolean missing(String queue) {
    return queues.missing(queue, process.now());
  }

  /** Every name that this had with this client. */
  Set<String> names() {
    return names;
  }

  /** The queue that the run's end will name, which a move under way decides. */
  String lastQueue() {
    SimLease current = kept;
    return current == null ? queue() : current.queue();
  }

  /** Whether it may receive, write and delete. */
  boolean valid() {
    SimLease current = kept;
    return current != null && current.valid();
  }

  /** Whether somebody else has it, and it will not be valid again. */
  boolean lost() {
    SimLease current = kept;
    return current != null && current.lost();
  }

  /** Whether the run was cancelled. */
  boolean cancelled() {
    SimLease current = kept;
    return current != null && current.written().state() == RunEntry.State.CANCELLED;
  }

  /**
   * Publishes a run that nobody has begun.
   *
   * @param known called if somebody has
   */
  void publish(Runnable published, Runnable known) {
    Moment asked = process.now();
    RunEntry entry =
        new RunEntry(
            run.id(),
            SimRun.EPOCH,
            RunEntry.State.OPEN,
            run.consistency(),
            queue(),
            process.name(),
            "",
            asked.service() + lease.lease(),
            "",
            run.tasks().size(),
            0,
            Map.of(),
            RemainingWork.UNKNOWN,
            asked.service(),
            asked.service());
    world
        .cloud()
        .runs()
        .create(
            process,
            remains.of(entry),
            created -> {
              if (created == null) {
                process.in(AGAIN, () -> publish(published, known));
              } else if (created) {
                holds(entry, asked, published);
              } else {
                findOut(entry, published, known);
              }
            });
  }

  /** Of a first try the answer was lost, and somebody wrote after it; or it never was mine. */
  private void findOut(RunEntry mine, Runnable published, Runnable known) {
    world
        .cloud()
        .runs()
        .read(
            process,
            run.id(),
            found -> {
              if (found == null) {
                process.in(AGAIN, () -> findOut(mine, published, known));
              } else if (found.holder().equals(mine.holder())) {
                // The lease began when that try was sent.
                Moment now = process.now();
                holds(found, now.plus(found.updatedMillis() - now.service()), published);
              } else {
                known.run();
              }
            });
  }

  /**
   * Takes it over as it was seen.
   *
   * @param quicker called if somebody else was
   */
  void take(RunEntry seen, Runnable taken, Runnable quicker) {
    Moment asked = process.now();
    RunEntry next =
        seen.heldBy(
            process.name(),
            "",
            seen.responseQueue(),
            asked.service() + lease.lease(),
            asked.service());
    take(next, seen, asked, taken, quicker);
  }

  private void take(RunEntry next, RunEntry seen, Moment asked, Runnable taken, Runnable quicker) {
    world
        .cloud()
        .runs()
        .takeOver(
            process,
            next,
            seen,
            took -> {
              if (took == null) {
                process.in(AGAIN, () -> take(next, seen, asked, taken, quicker));
              } else if (took) {
                queues = new ResponseQueues(lease, next.responseQueue());
                names.add(queue());
                holds(next, asked, taken);
              } else {
                quicker.run();
              }
            });
  }

  private void holds(RunEntry entry, Moment asked, Runnable then) {
    SimLease now = new SimLease(world, process, run, lease, remains, entry, asked, over);
    kept = now;
    then.run();
    now.keep();
  }

  /** A move to another queue begins. */
  void moving(String other) {
    names.add(other);
    queues.moving(other);
  }

  /** The queue of a move that is not finished. */
  Optional<String> next() {
    return queues.next();
  }

  /** Publishes that results go to another queue from here on; may be repeated. */
  void moveTo(String other, Runnable published) {
    SimLease current = kept;
    if (current != null) {
      current.publish(other, published);
    }
  }

  /** The other queue is there. */
  void moved(String other) {
    queues.moved(other);
  }

  /** The run is over, for everybody; one that was cancelled stays so. */
  void end(Runnable whenTold) {
    SimLease current = kept;
    if (current != null) {
      current.letGo(whenTold);
    }
  }
}
