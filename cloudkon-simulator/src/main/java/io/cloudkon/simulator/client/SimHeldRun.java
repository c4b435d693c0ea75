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

/** A run and its client's lease of it: published or taken over, and renewed from then on. */
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

  /** The reason why a client no longer works on its run. */
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

  /** The queue that receives the results. */
  String queue() {
    return queues.current();
  }

  /**
   * Adds the journal's queues that received results before. They are read, and removed at the end.
   */
  void alsoRead(Collection<String> before) {
    names.addAll(before);
    before.forEach(queues::alsoRead);
  }

  /** The queues to read in addition to {@link #queue}. */
  List<String> former() {
    return queues.former();
  }

  /** Whether nothing has come from former queues for this time. */
  boolean quiet(long millis, Moment now) {
    return queues.quiet(millis, now);
  }

  /** Records that a receive from this queue came back. */
  void answered(String queue, int messages, Moment begun, long waitMillis) {
    queues.answered(queue, messages, begun, waitMillis, process.now());
  }

  /** Records that a receive from this queue failed. */
  void failed(String queue) {
    queues.failed(queue, process.now());
  }

  /**
   * Records that a receive did not find this queue. Returns whether the queue is now considered
   * missing.
   */
  boolean missing(String queue) {
    return queues.missing(queue, process.now());
  }

  /** The names of all queues that the run had with this client. */
  Set<String> names() {
    return names;
  }

  /** The queue that the run's end will name; a move under way decides it. */
  String lastQueue() {
    SimLease current = kept;
    return current == null ? queue() : current.queue();
  }

  /** Whether the client may receive, write and delete. */
  boolean valid() {
    SimLease current = kept;
    return current != null && current.valid();
  }

  /** Whether another client has the run, so that this lease will not become valid again. */
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
   * Publishes a new run.
   *
   * @param known called if another client has published it
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

  /**
   * Finds out whether the answer to a first try was lost and somebody wrote after it, or the run
   * belongs to another client.
   */
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
                // The lease began when the first try was sent.
                Moment now = process.now();
                holds(found, now.plus(found.updatedMillis() - now.service()), published);
              } else {
                known.run();
              }
            });
  }

  /**
   * Takes the run over if its entry has not changed since it was read.
   *
   * @param quicker called if another client changed it first
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

  /** Records that a move to another queue begins. */
  void moving(String other) {
    names.add(other);
    queues.moving(other);
  }

  /** The target of an unfinished move. */
  Optional<String> next() {
    return queues.next();
  }

  /** Publishes that results go to another queue from now on; may be repeated. */
  void moveTo(String other, Runnable published) {
    SimLease current = kept;
    if (current != null) {
      current.publish(other, published);
    }
  }

  /** Records that the other queue exists. */
  void moved(String other) {
    queues.moved(other);
  }

  /** Ends the run for everybody; a cancelled run stays cancelled. */
  void end(Runnable whenTold) {
    SimLease current = kept;
    if (current != null) {
      current.letGo(whenTold);
    }
  }
}
