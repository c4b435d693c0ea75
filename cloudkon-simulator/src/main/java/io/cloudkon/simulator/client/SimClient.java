package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Results;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.Optional;

/**
 * A client: the production machines of bundling and completeness, and a driver that does what they
 * say. It may die at any moment; another one on the same journal takes the run up again.
 */
public final class SimClient {
  private static final long WATCH = 1_000_000;
  private static final long AGAIN = 300_000;

  /** How long after a run was cancelled a worker may still store results. */
  private static final long NOTICE = 7_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final ClientSetup setup;
  private final Journal journal;
  private final Measures measures;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Optional<FairShare> share;
  private final HeldRun held;
  private final Succession succession;
  private final Clearing clearing;
  private final Sending sending;
  private final Taking taking;
  private final Collecting collecting;
  private int queues;
  private boolean opened;
  private boolean replacing;
  private boolean settling;
  private boolean over;
  private long beganAt;
  private long completeAt;

  /** A client that does nothing yet. */
  public SimClient(
      World world,
      SimProcess process,
      SimRun run,
      ClientSetup setup,
      Journal journal,
      Measures measures) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.setup = setup;
    this.journal = journal;
    this.measures = measures;
    completeness =
        new CompletenessMachine(
            run.id(),
            SimRun.EPOCH,
            run.consistency().claims(),
            setup.claimPerTask() ? ClaimScope.TASK : ClaimScope.BUNDLE,
            setup.completeness());
    bundler = new BundlerMachine(setup.bundler());
    share = setup.share(run);
    held =
        new HeldRun(
            world,
            process,
            run,
            setup.lease(),
            new Remains(world, run, journal),
            "Q-response-" + process.name(),
            this::lost);
    clearing = new Clearing(world, process, run);
    succession =
        new Succession(
            world,
            process,
            run,
            setup.lease(),
            held,
            new Succession.Found(this::start, this::goOn, this::foundOver));
    sending =
        new Sending(
            world,
            process,
            run,
            setup,
            journal,
            completeness,
            bundler,
            share,
            measures,
            held::queue,
            held::valid,
            () -> carryOut(completeness.allSent(process.now())));
    completeness.waitFor(held::quiet);
    taking = new Taking(world, process, run, held, journal, completeness, bundler, share, measures);
    collecting =
        new Collecting(
            world, process, run, held, completeness, taking, this::carryOut, this::replaceQueue);
  }

  public SimProcess process() {
    return process;
  }

  /** Whether it has nothing more to do: the run is over, or somebody else has it, or it is dead. */
  public boolean over() {
    return over || process.dead();
  }

  /** From its first send to its last result, in microseconds; once it is complete. */
  public long tookMicros() {
    return completeAt - beganAt;
  }

  /** Begins a run that nobody has begun. */
  public void start() {
    process.in(0, () -> held.publish(this::makeQueue, succession::begin));
  }

  /** Published before it is there: who dies in between leaves no queue that nobody knows of. */
  private void makeQueue() {
    if (over || settling) {
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, this::makeQueue);
      return;
    }
    process.effect(
        () -> "makes " + held.queue(),
        () -> {
          if (over || settling) {
            return;
          }
          if (!held.valid()) {
            process.in(AGAIN, this::makeQueue);
            return;
          }
          var unused = world.cloud().createResponses(held.queue());
          openJournal();
          process.in(0, this::begin);
        });
  }

  /** Takes up a run whose client is dead, or seems to be. */
  public void resume() {
    process.in(0, succession::begin);
  }

  private void foundOver(RunEntry entry) {
    world.trace().say(process.name(), "finds its run %s", entry.state());
    clearing.queue(entry.responseQueue());
    clearing.objects(this::ended);
  }

  /** The run is its own now. */
  private void goOn() {
    if (over) {
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, this::goOn);
      return;
    }
    openJournal();
    if (!held.queue().equals(journal.firstQueue())) {
      completeness.lookAtAll(process.now());
    }
    begin();
  }

  /** Before anything is made, received or settled; by who is certain to hold the run. */
  private void openJournal() {
    if (opened) {
      return;
    }
    opened = true;
    journal.open();
    restore();
    held.alsoRead(journal.queues());
    if (journal.firstQueue().isEmpty()) {
      journal.begun(held.queue());
    }
  }

  private void restore() {
    completeness.resumed();
    long now = world.timeline().now();
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      int unused = completeness.bundle(journal.count(sequence));
    }
    // What was cancelled before it was in a bundle is settled, and nobody's to account for.
    journal.results().stream()
        .filter(ordinal -> ordinal < journal.tasks())
        .forEach(completeness::restoreFinal);
    journal.lost().stream().forEach(completeness::restoreLost);
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      if (journal.isConfirmed(sequence)) {
        completeness.restoreSent(sequence, (now - journal.sentAt(sequence)) / 1000, process.now());
      }
    }
    sending.sendAgain();
  }

  private void begin() {
    if (held.cancelled()) {
      settle();
      return;
    }
    beganAt = world.timeline().now();
    share.ifPresentOrElse(
        of -> new FleetLooks(world, process, of, this::over).begin(this::work), this::work);
  }

  private void work() {
    sending.pump();
    for (int i = 0; i < setup.threads(); i++) {
      collecting.receive();
    }
    collecting.readFormer();
    process.in(WATCH, this::watch);
  }

  private void watch() {
    if (!over && !settling) {
      if (held.valid()) {
        carryOut(completeness.follow(process.now()));
        carryOut(completeness.lookForSilence(process.now()));
      }
      process.in(WATCH, this::watch);
    }
  }

  // ---- what follows

  private void carryOut(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      switch (effect) {
        case CompletenessEffect.ReadClaims read -> read(read.ids());
        case CompletenessEffect.FinalLost lost -> {
          for (int ordinal : lost.ordinals()) {
            ended(ordinal, TaskStatus.LOST);
          }
        }
        case CompletenessEffect.FetchResults fetch -> fetch(fetch);
        case CompletenessEffect.ProvisionalLost lost -> {
          int sequence = BundleIds.sequence(lost.claim().id());
          share.ifPresent(of -> of.ended(sequence, lost.ordinals().length));
          // What was given up is no loss: it is outstanding, should the run be cancelled.
          boolean exactlyOnce = run.consistency() == Consistency.EXACTLY_ONCE;
          for (int ordinal : exactlyOnce ? lost.recorded() : lost.ordinals()) {
            journal.lost(ordinal);
          }
        }
        case CompletenessEffect.Resend resend -> {
          resend(resend);
        }
        case CompletenessEffect.Complete complete -> complete();
      }
    }
    sending.pump();
  }

  private void read(List<String> ids) {
    world
        .cloud()
        .claims()
        .read(
            process,
            run.id(),
            ids,
            found -> {
              if (found == null) {
                completeness.readFailed(ids, process.now());
              } else {
                onceHeld(() ->
                    carryOut(
                        completeness.claimsRead(ids, world.twist().shown(found), process.now())));
              }
            });
  }

  /** An answer that comes while the lease is not certain to hold is good once it does. */
  private void onceHeld(Runnable then) {
    if (over || settling) {
      return;
    }
    if (held.valid()) {
      then.run();
    } else {
      process.in(AGAIN, () -> onceHeld(then));
    }
  }

  /** What a worker could deliver to no queue is in the bucket, and need not run again. */
  private void resend(CompletenessEffect.Resend resend) {
    world
        .cloud()
        .blobs()
        .list(
            process,
            BlobKeys.out(run.id(), resend.bundle()),
            found -> {
              if (found != null) {
                onceHeld(() -> {
                  accept(found);
                  world.trace().say(process.name(), "sends %s again", resend.bundle());
                  sending.resend(resend.bundle(), resend.ordinals());
                });
              }
            });
  }

  private void accept(List<Results> stored) {
    long now = world.timeline().now();
    for (Results results : stored) {
      taking.accept(results, now, now);
    }
  }

  private void fetch(CompletenessEffect.FetchResults fetch) {
    world
        .cloud()
        .blobs()
        .list(
            process,
            BlobKeys.out(run.id(), fetch.claim().id()),
            found -> {
              if (found == null) {
                completeness.fetchFailed(fetch, process.now());
              } else {
                onceHeld(() -> fetched(fetch, found));
              }
            });
  }

  private void fetched(CompletenessEffect.FetchResults fetch, List<Results> found) {
    accept(found);
    carryOut(completeness.fetched(fetch, process.now()));
    carryOut(completeness.follow(process.now()));
  }

  private void replaceQueue() {
    if (!replacing) {
      replacing = true;
      String other = "Q-response-" + process.name() + "-" + ++queues;
      journal.moved(other);
      held.moveTo(other, () -> process.effect(() -> "makes " + other, () -> makeOther(other)));
    }
  }

  /** To be stopped between this look and the call is nothing that could be fenced. */
  private void makeOther(String queue) {
    if (over || settling) {
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, () -> makeOther(queue));
      return;
    }
    var unused = world.cloud().createResponses(queue);
    process.in(
        0,
        () -> {
          replacing = false;
          collecting.readFormer();
          completeness.lookAtAll(process.now());
        });
  }

  private void lost(HeldRun.Over why) {
    if (over) {
      return;
    }
    world.trace().say(process.name(), "gives up its run: %s", why);
    sending.stop();
    switch (why) {
      case CANCELLED -> settle();
      case TAKEN_OVER -> {
        collecting.stop();
        over = true;
      }
    }
  }

  /** Results of a run that was cancelled are results all the same; the rest is CANCELLED. */
  private void settle() {
    if (!settling) {
      settling = true;
      takeWhatWaits();
    }
  }

  /** A cancel may be found out before anything else is done. */
  private void takeWhatWaits() {
    if (over) {
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, this::takeWhatWaits);
      return;
    }
    openJournal();
    collecting.takeWhatWaits(this::settled);
  }

  private void settled() {
    if (over) {
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, this::settled);
      return;
    }
    for (int ordinal = 0; ordinal < run.tasks().size(); ordinal++) {
      if (!journal.results().get(ordinal)) {
        TaskStatus status = journal.lost().get(ordinal) ? TaskStatus.LOST : TaskStatus.CANCELLED;
        ended(ordinal, status);
      }
    }
    clearing.queues(held.names());
    // A worker that has not noticed yet may still store results.
    clearing.objects(() -> process.in(NOTICE, () -> clearing.objects(() -> held.end(this::ended))));
  }

  private void ended(int ordinal, TaskStatus status) {
    journal.result(ordinal);
    world.witness().finalResult(run, ordinal, status);
    measures.ended(status, world.timeline().now());
  }

  private void complete() {
    completeAt = world.timeline().now();
    world.trace().say(process.name(), "is complete");
    sending.stop();
    collecting.stop();
    world.witness().ending(run);
    // Whoever finds the run ended knows of its last queue only.
    String last = held.lastQueue();
    held.names().stream().filter(name -> !name.equals(last)).forEach(clearing::queue);
    held.end(() -> {
      clearing.queues(held.names());
      clearing.objects(this::ended);
    });
  }

  private void ended() {
    over = true;
  }

  @Override
  public String toString() {
    return "%s of %s: %s with %d of %d results and %d provisionally LOST"
        .formatted(
            process.name(),
            run,
            completeness.phase(),
            completeness.finished(),
            run.tasks().size(),
            completeness.provisionallyLost());
  }
}
