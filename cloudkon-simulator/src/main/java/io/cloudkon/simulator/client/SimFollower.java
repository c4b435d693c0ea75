package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Carries out the effects of the completeness machine. */
final class SimFollower {
  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimJournal journal;
  private final CompletenessMachine completeness;
  private final SimSender sender;
  private final SimResultIntake intake;
  private final SimSettlement settlement;
  private final LeaseWait lease;
  private final BooleanSupplier over;
  private final Runnable complete;

  /**
   * A follower for one client.
   *
   * @param over whether it must stop following
   * @param complete called once every task has its result
   */
  SimFollower(
      World world,
      SimProcess process,
      SimRun run,
      SimJournal journal,
      CompletenessMachine completeness,
      SimSender sender,
      SimResultIntake intake,
      SimSettlement settlement,
      LeaseWait lease,
      BooleanSupplier over,
      Runnable complete) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.journal = journal;
    this.completeness = completeness;
    this.sender = sender;
    this.intake = intake;
    this.settlement = settlement;
    this.lease = lease;
    this.over = over;
    this.complete = complete;
  }

  /** Carries out the effects, and then sends what is due. */
  void follow(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      switch (effect) {
        case CompletenessEffect.ReadClaims read -> readClaims(read.ids());
        case CompletenessEffect.FinalLost lost -> settlement.lostForGood(lost.ordinals());
        case CompletenessEffect.FetchResults fetch -> fetch(fetch);
        case CompletenessEffect.ProvisionalLost lost -> provisionallyLost(lost);
        case CompletenessEffect.Resend resend -> resend(resend);
        case CompletenessEffect.Complete all -> complete.run();
      }
    }
    sender.pump();
  }

  private void provisionallyLost(CompletenessEffect.ProvisionalLost lost) {
    int sequence = BundleIds.sequence(lost.claim().id());
    sender.ended(sequence, lost.ordinals().length);
    // Tasks that were given up are not lost: they are outstanding if the run is cancelled.
    boolean exactlyOnce = run.consistency() == Consistency.EXACTLY_ONCE;
    for (int ordinal : exactlyOnce ? lost.recorded() : lost.ordinals()) {
      journal.lost(ordinal);
    }
  }

  private void readClaims(List<String> ids) {
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
                lease.until(
                    over,
                    () ->
                        follow(
                            completeness.claimsRead(
                                ids, world.twist().shown(found), process.now())));
              }
            });
  }

  /**
   * Resends a bundle. Results that a worker could deliver to no queue are in the bucket, and their
   * tasks need not run again.
   */
  private void resend(CompletenessEffect.Resend resend) {
    world
        .cloud()
        .blobs()
        .list(
            process,
            BlobKeys.out(run.id(), resend.bundle()),
            found -> {
              if (found != null) {
                lease.until(
                    over,
                    () -> {
                      intake.acceptStored(found);
                      world.trace().say(process.name(), "sends %s again", resend.bundle());
                      sender.resend(resend.bundle(), resend.ordinals());
                    });
              }
            });
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
                lease.until(over, () -> fetched(fetch, found));
              }
            });
  }

  private void fetched(CompletenessEffect.FetchResults fetch, List<ResultMessage> found) {
    intake.acceptStored(found);
    follow(completeness.fetched(fetch, process.now()));
    follow(completeness.follow(process.now()));
  }
}
