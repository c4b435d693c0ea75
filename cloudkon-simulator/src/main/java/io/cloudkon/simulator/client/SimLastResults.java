package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Limits;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the results of a cancelled run that wait in its queues, and those that workers have stored,
 * before the run is settled. The real client gives up a service that fails for a minute, and a
 * person resumes the run; this one goes on trying. A bucket that is not known to hold results of
 * the run is asked once, as by the real client.
 */
final class SimLastResults {
  private static final long POLL = 1_000_000;
  private static final long AGAIN = 500_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimHeldRun held;
  private final SimJournal journal;
  private final SimResultIntake taking;

  /**
   * When the last receive from each queue began, which was empty; none from those that are gone.
   */
  private final Map<String, Long> emptySince = new LinkedHashMap<>();

  SimLastResults(
      World world,
      SimProcess process,
      SimRun run,
      SimHeldRun held,
      SimJournal journal,
      SimResultIntake taking) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.held = held;
    this.journal = journal;
    this.taking = taking;
  }

  /** Takes them; continues with {@code then} unless the lease is lost. */
  void take(Runnable then) {
    Deque<String> queues = new ArrayDeque<>(held.former());
    queues.addFirst(held.queue());
    queues.forEach(name -> emptySince.put(name, Long.MAX_VALUE));
    takeQueued(queues, () -> takeStored(then));
  }

  private void takeQueued(Deque<String> queues, Runnable then) {
    if (queues.isEmpty()) {
      then.run();
      return;
    }
    Runnable again = () -> takeQueued(queues, then);
    if (!leased(again)) {
      return;
    }
    String name = queues.element();
    SimQueue<ResultMessage> queue = world.cloud().responses(name);
    if (queue == null) {
      queues.remove();
      if (held.missing(name) || held.next().filter(name::equals).isPresent()) {
        emptySince.remove(name);
      } else {
        queues.add(name); // so that absences overlap
      }
      process.in(AGAIN, again);
      return;
    }
    long begun = world.timeline().now();
    queue.receive(
        process,
        Limits.BATCH,
        POLL,
        SimCollector.VISIBILITY,
        got -> {
          if (got == null) {
            failed(queues, again);
          } else if (!got.isEmpty()) {
            accept(queue, got, begun, again);
          } else if (taking.hiddenMicros() > 0) {
            process.in(Math.min(AGAIN, taking.hiddenMicros()), again);
          } else {
            emptySince.put(name, begun);
            queues.remove();
            again.run();
          }
        });
  }

  private void failed(Deque<String> queues, Runnable again) {
    taking.notTaken();
    if (world.twist().takesFailureForEmpty()) {
      queues.remove();
    }
    process.in(AGAIN, again);
  }

  private void accept(
      SimQueue<ResultMessage> queue,
      List<Delivery<ResultMessage>> got,
      long begun,
      Runnable again) {
    taking.accept(
        new ArrayDeque<>(got),
        begun,
        held::lost,
        () -> queue.delete(process, got, sent -> again.run()),
        again);
  }

  private void takeStored(Runnable then) {
    Runnable again = () -> takeStored(then);
    if (!world.twist().looksIntoBucket()) {
      then.run();
      return;
    }
    if (!leased(again)) {
      return;
    }
    long begun = world.timeline().now();
    world
        .cloud()
        .blobs()
        .list(
            process,
            BlobKeys.out(run.id()),
            Reply.orRefused(
                found -> stored(found, begun, then, again), () -> notListed(then, again)));
  }

  private void stored(
      @Nullable List<ResultMessage> found, long begun, Runnable then, Runnable again) {
    if (found == null) {
      notListed(then, again);
      return;
    }
    taking.whenValid(
        held::lost,
        () -> {
          taking.acceptStored(found);
          world.witness().lastLooks(run).looked(begun);
          then.run();
        },
        () -> {});
  }

  private void notListed(Runnable then, Runnable again) {
    if (journal.hasStoredResults()) {
      process.in(AGAIN, again);
    } else {
      world.witness().lastLooks(run).mayNotLook();
      then.run();
    }
  }

  /** Returns whether the lease is certain to hold; if not, tries again later, or never. */
  private boolean leased(Runnable again) {
    if (!held.valid() && !held.lost()) {
      process.in(AGAIN, again);
    }
    return held.valid();
  }

  /** Tells the witness of results that wait although the client is about to settle the run. */
  void settling() {
    emptySince.forEach((name, since) -> {
      SimQueue<ResultMessage> queue = world.cloud().responses(name);
      if (queue != null) {
        queue.visibleSinceBefore(since, world.witness().lastLooks(run)::passedOver);
      }
    });
  }
}
