package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client's lease of its run: taken, renewed, lost, and let go. */
final class HeldRun {
  private static final long AGAIN = 500_000;
  private static final RunEntry.State OPEN = RunEntry.State.OPEN;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final LeaseSettings lease;
  private final Remains remains;
  private final Consumer<Over> over;
  private final List<Runnable> untilPublished = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable RunEntry written;
  private @Nullable Moment end;
  private @Nullable Runnable told;
  private @Nullable String publishNext;
  private String queue;
  private boolean writing;
  private boolean closed;
  private boolean letGo;

  /** Why a client no longer works on its run. */
  enum Over {
    CANCELLED,
    TAKEN_OVER
  }

  HeldRun(
      World world,
      SimProcess process,
      SimRun run,
      LeaseSettings lease,
      Remains remains,
      String queue,
      Consumer<Over> over) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.lease = lease;
    this.remains = remains;
    this.queue = queue;
    this.over = over;
    this.names.add(queue);
  }

  /** Where results go. */
  String queue() {
    return queue;
  }

  /** Every name that this had with this client. */
  Set<String> names() {
    return names;
  }

  /** Whether it may receive, write and delete. */
  boolean valid() {
    Moment until = end;
    return until != null && !process.now().eitherPast(until.plus(-lease.margin()));
  }

  /** Whether somebody else has it, and it will not be valid again. */
  boolean lost() {
    return closed && end == null;
  }

  /** Whether the run was cancelled. */
  boolean cancelled() {
    RunEntry current = written;
    return current != null && current.state() == RunEntry.State.CANCELLED;
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
            OPEN,
            run.consistency(),
            queue,
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
                queue = next.responseQueue();
                names.add(queue);
                holds(next, asked, taken);
              } else {
                quicker.run();
              }
            });
  }

  private void holds(RunEntry entry, Moment asked, Runnable then) {
    written = entry;
    end = asked.plus(lease.lease());
    then.run();
    if (!closed) {
      process.in(lease.heartbeat() * 1000, this::renew);
    }
  }

  private void renew() {
    if (!closed) {
      write(() -> process.in(lease.heartbeat() * 1000, this::renew));
    }
  }

  /** Results go to another queue from here on. */
  void moveTo(String other, Runnable published) {
    names.add(other);
    untilPublished.add(() -> {
      queue = other;
      published.run();
    });
    publishNext = other;
    write(() -> {});
  }

  /** The run is over, for everybody; one that was cancelled stays so. */
  void end(Runnable whenTold) {
    closed = true;
    told = whenTold;
    write(() -> {});
  }

  private void write(Runnable then) {
    RunEntry before = written;
    if (before == null || letGo) {
      return;
    }
    if (writing) {
      process.in(AGAIN, () -> write(then));
      return;
    }
    writing = true;
    Moment asked = process.now();
    boolean letsGo = told != null;
    RunEntry.State state = letsGo && before.state() == OPEN ? RunEntry.State.ENDED : before.state();
    long length = letsGo ? 0 : lease.lease();
    long leaseEnd = Math.max(asked.service(), before.updatedMillis() + 1) + length;
    String to = publishNext;
    RunEntry next = before.with(state, leaseEnd, run.tasks().size(), 0, Map.of(), asked.service());
    RunEntry moved = remains.of(to == null ? next : next.answeredAt(to, asked.service()));
    world
        .cloud()
        .runs()
        .update(
            process,
            moved,
            done -> {
              writing = false;
              if (done == null) {
                process.in(AGAIN, () -> write(then));
              } else if (done) {
                written(moved, asked.plus(length), then);
              } else {
                refused(moved, then);
              }
            });
  }

  private void written(RunEntry entry, Moment until, Runnable then) {
    written = entry;
    end = until;
    if (publishNext != null && publishNext.equals(entry.responseQueue())) {
      publishNext = null;
      List<Runnable> waiting = List.copyOf(untilPublished);
      untilPublished.clear();
      waiting.forEach(Runnable::run);
    }
    then.run();
    Runnable tell = told;
    if (tell != null && entry.leaseEnd() <= entry.updatedMillis()) {
      told = null;
      letGo = true;
      tell.run();
    }
  }

  /** Somebody cancelled it, or has it now; or the answer to an earlier write was lost. */
  private void refused(RunEntry mine, Runnable then) {
    world
        .cloud()
        .runs()
        .read(
            process,
            run.id(),
            found -> {
              if (found == null) {
                process.in(AGAIN, () -> refused(mine, then));
                return;
              }
              boolean still =
                  found.holder().equals(mine.holder())
                      && (found.state() != RunEntry.State.ENDED
                          || mine.state() == RunEntry.State.ENDED);
              if (!still) {
                lose(Over.TAKEN_OVER);
                return;
              }
              boolean cancelled =
                  found.state() == RunEntry.State.CANCELLED && mine.state() != found.state();
              boolean hasLetGo =
                  mine.leaseEnd() <= mine.updatedMillis()
                      && found.state() == mine.state()
                      && found.leaseEnd() <= found.updatedMillis();
              written = found;
              if (hasLetGo) {
                written(found, process.now(), then);
                return;
              }
              if (cancelled && told == null) {
                over.accept(Over.CANCELLED);
              }
              process.in(AGAIN, () -> write(then));
            });
  }

  private void lose(Over why) {
    closed = true;
    end = null;
    over.accept(why);
  }
}
