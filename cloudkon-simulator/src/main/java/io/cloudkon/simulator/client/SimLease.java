package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.protocol.lease.SeenLease;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's lease of its run. It is renewed as the production state machine demands, until it is
 * lost or released.
 */
final class SimLease {
  private static final long AGAIN = LeaseMachine.RETRY_MILLIS * 1000;
  private static final RunEntry.State OPEN = RunEntry.State.OPEN;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimRemainingWork remains;
  private final Consumer<SimHeldRun.Over> over;
  private final LeaseMachine machine;
  private final long heartbeat;
  private final List<Runnable> untilPublished = new ArrayList<>();
  private RunEntry written;
  private RunEntry tried;
  private @Nullable String publishNext;
  private @Nullable Runnable told;
  private boolean leaves;

  /**
   * A lease that was just written.
   *
   * @param asked when the write was requested
   */
  SimLease(
      World world,
      SimProcess process,
      SimRun run,
      LeaseSettings settings,
      SimRemainingWork remains,
      RunEntry written,
      Moment asked,
      Consumer<SimHeldRun.Over> over) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.remains = remains;
    this.machine = LeaseMachine.held(settings, asked, process.now());
    this.heartbeat = settings.heartbeat() * 1000;
    this.written = written;
    this.tried = written;
    this.over = over;
  }

  /** The run's entry, as last known. */
  RunEntry written() {
    return written;
  }

  /** The queue that the entry's next version names. */
  String queue() {
    String to = publishNext;
    return to == null ? written.responseQueue() : to;
  }

  boolean valid() {
    return machine.valid(process.now());
  }

  boolean lost() {
    return machine.phase() == LeasePhase.LOST;
  }

  /**
   * Publishes that results go to another queue, and then continues; at once if that is published
   * already.
   */
  void publish(String queue, Runnable published) {
    if (publishNext == null && written.responseQueue().equals(queue)) {
      published.run();
      return;
    }
    untilPublished.add(published);
    publishNext = queue;
    write(() -> {});
  }

  /** Ends the run and releases its lease. */
  void letGo(Runnable whenTold) {
    leaves = true;
    told = whenTold;
    machine.letGo();
    write(() -> {});
  }

  /** Renews the lease whenever that is due. Publishing in between does not postpone it. */
  void keep() {
    if (!leaves) {
      process.in(
          heartbeat,
          () -> {
            if (!leaves) {
              write(this::keep);
            }
          });
    }
  }

  /** Writes the entry now; retries later while another call is in flight. */
  private void write(Runnable then) {
    if (machine.phase() == LeasePhase.LET_GO || machine.phase() == LeasePhase.LOST) {
      return;
    }
    Moment asked = process.now();
    machine.waited(asked);
    if (machine.next(asked, false) instanceof LeaseEffect.Write write) {
      tried = next(asked, write);
      world.cloud().runs().update(process, tried, done -> answered(done, then));
    } else {
      process.in(AGAIN, () -> write(then));
    }
  }

  private RunEntry next(Moment asked, LeaseEffect.Write write) {
    boolean ends = write.letsGo() && written.state() == OPEN;
    RunEntry.State state = ends ? RunEntry.State.ENDED : written.state();
    long leaseEnd = SeenLease.endOf(asked.service(), written.updatedMillis(), write.length());
    RunEntry next = written.with(state, leaseEnd, run.tasks().size(), 0, Map.of(), asked.service());
    String to = publishNext;
    return remains.of(to == null ? next : next.answeredAt(to, asked.service()));
  }

  private void answered(@Nullable Boolean done, Runnable then) {
    if (done == null) {
      machine.failed(process.now());
      process.in(AGAIN, () -> write(then));
    } else if (done) {
      machine.written(process.now());
      accepted(tried, then);
    } else {
      machine.refused(process.now());
      if (machine.next(process.now(), false) instanceof LeaseEffect.LookUp) {
        lookUp(then);
      }
    }
  }

  private void accepted(RunEntry entry, Runnable then) {
    written = entry;
    if (publishNext != null && publishNext.equals(entry.responseQueue())) {
      publishNext = null;
      List<Runnable> waiting = List.copyOf(untilPublished);
      untilPublished.clear();
      waiting.forEach(Runnable::run);
    }
    then.run();
    Runnable tell = told;
    if (tell != null && entry.lease().letGo()) {
      told = null;
      tell.run();
    }
  }

  /**
   * Looks up the entry after a refused write: the run was cancelled, another client has it, or the
   * answer to an earlier write was lost.
   */
  private void lookUp(Runnable then) {
    world
        .cloud()
        .runs()
        .read(
            process,
            run.id(),
            found -> {
              if (found == null) {
                process.in(AGAIN, () -> lookUp(then));
              } else {
                met(found, then);
              }
            });
  }

  private void met(RunEntry found, Runnable then) {
    boolean still =
        found.holder().equals(tried.holder())
            && (found.state() != RunEntry.State.ENDED || tried.state() == RunEntry.State.ENDED);
    if (!still) {
      machine.found(new LeaseFinding.Other(found.lease()), process.now());
      over.accept(SimHeldRun.Over.TAKEN_OVER);
      return;
    }
    boolean sameState = found.state() == tried.state();
    if (sameState && tried.lease().letGo() && found.lease().letGo()) {
      machine.found(new LeaseFinding.LetGo(), process.now());
      accepted(found, then);
      return;
    }
    written = found;
    machine.found(new LeaseFinding.Mine(), process.now());
    if (found.state() == RunEntry.State.CANCELLED && !sameState && told == null) {
      over.accept(SimHeldRun.Over.CANCELLED);
    }
    process.in(AGAIN, () -> write(then));
  }
}
