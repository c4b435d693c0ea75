package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.SimLedger;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the ledger calls of a manager's machine; every outcome is one event. */
final class SimLedgerCaller {
  private final SimLedger ledger;
  private final @Nullable SimScaling scaling;
  private final SimProcess process;
  private final BackOff backOff;
  private final Consumer<GangEvent> events;
  private final Map<String, Integer> failures = new HashMap<>();
  private final SimLatestCalls waitingItems = new SimLatestCalls();

  /** Calls for one process; if the fleet grows, they also read what it may launch. */
  SimLedgerCaller(World world, SimProcess process, BackOff backOff, Consumer<GangEvent> events) {
    this.ledger = world.hpc().ledger();
    this.scaling = world.cloud().scalingIfAny();
    this.process = process;
    this.backOff = backOff;
    this.events = events;
  }

  void call(CapacityEffect.Call call) {
    switch (call) {
      case CapacityEffect.Change change ->
          ledger.change(
              process,
              change.change(),
              made -> {
                String token = change.change().token();
                if (made == null) {
                  int failed = failures.merge(token, 1, Integer::sum);
                  process.in(
                      backOff.millis(failed) * 1000,
                      () -> events.accept(new GangEvent.ChangeFailed(token)));
                } else {
                  failures.remove(token);
                  events.accept(new GangEvent.Changed(token, made));
                }
              });
      case CapacityEffect.Renew renew ->
          ledger.renew(
              process,
              renew.share(),
              there -> {
                if (there != null) {
                  events.accept(new GangEvent.Renewed(renew.share().key(), there));
                }
              });
      case CapacityEffect.RenewReservation renew ->
          ledger.renewReservation(
              process,
              renew.job(),
              renew.worker(),
              renew.leaseEnd(),
              there -> {
                if (there != null) {
                  events.accept(new GangEvent.ReservationRenewed(renew.job(), there));
                }
              });
      case CapacityEffect.PutWaiting put ->
          waitingItems.call(
              put.waiting().job(),
              over -> ledger.put(process, put.waiting(), answer -> over.run()));
      case CapacityEffect.RemoveWaiting remove ->
          waitingItems.call(
              remove.job(),
              over ->
                  ledger.removeWaiting(
                      process, remove.job(), remove.worker(), answer -> over.run()));
      case CapacityEffect.View view -> {
        Moment begun = process.now();
        ledger.view(process, seen -> viewed(seen, begun));
      }
      case CapacityEffect.Look look ->
          ledger.look(
              process,
              seen ->
                  events.accept(
                      seen == null
                          ? new GangEvent.ReadFailed()
                          : new GangEvent.Looked(seen.orElse(null))));
      case CapacityEffect.LookForRoom look -> lookForRoom();
    }
  }

  /**
   * Handles a view of the ledger. If a waiting job is too large for the live workers, then reads
   * what may still be launched.
   */
  private void viewed(@Nullable LedgerView seen, Moment begun) {
    if (seen == null) {
      events.accept(new GangEvent.ReadFailed());
    } else if (!seen.outgrown(process.now().service())) {
      events.accept(new GangEvent.Viewed(seen, begun, null));
    } else if (scaling == null) {
      events.accept(new GangEvent.Viewed(seen, begun, RankLimit.Fleet.NONE));
    } else {
      scaling
          .decisions()
          .provisioner(
              process,
              entry ->
                  events.accept(
                      new GangEvent.Viewed(
                          seen,
                          begun,
                          entry == null
                              ? null
                              : entry
                                  .map(ProvisionerEntry::rankLimit)
                                  .orElse(RankLimit.Fleet.NONE))));
    }
  }

  private void lookForRoom() {
    ledger.look(
        process,
        seen -> {
          if (seen == null) {
            events.accept(new GangEvent.ReadFailed());
            return;
          }
          ledger.counter(
              process,
              sums ->
                  events.accept(
                      sums == null
                          ? new GangEvent.ReadFailed()
                          : new GangEvent.Looked(sums, seen.orElse(null))));
        });
  }
}
