package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.protocol.lease.SeenLease;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.SimDecisions;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A provisioner's lease: the production state machine, and a driver that carries out its effects.
 */
final class SimProvisionerLease {
  private final SimDecisions decisions;
  private final SimProcess process;
  private final ProvisionerEntry.Settings told;
  private final LeaseMachine machine;
  private Optional<ProvisionerEntry> seen = Optional.empty();
  private ProvisionerEntry.Fleet fleet = ProvisionerEntry.Fleet.UNSEEN;
  private long oldestOpen = 1;
  private long lastWritten;
  private int terms;
  private long before = Long.MAX_VALUE;
  private boolean news;

  SimProvisionerLease(
      SimDecisions decisions,
      SimProcess process,
      ProvisionerEntry.Settings told,
      LeaseSettings lease) {
    this.decisions = decisions;
    this.process = process;
    this.told = told;
    this.machine = new LeaseMachine(lease);
  }

  /** Whether it is certain to hold the lease; must be checked before each effect. */
  boolean valid() {
    return machine.valid(process.now());
  }

  /** How often the lease was taken. */
  int terms() {
    return terms;
  }

  /** After which time no earlier holder had the lease; the maximum if that is not known. */
  long before() {
    return before;
  }

  /**
   * Sets what the next write publishes: the number below which no decision is open, and the state
   * of the fleet.
   */
  void publish(long oldest, ProvisionerEntry.Fleet newFleet) {
    news |= oldest != oldestOpen || !newFleet.equals(fleet);
    oldestOpen = oldest;
    fleet = newFleet;
  }

  /**
   * Does what is due for the lease.
   *
   * @param then called when nothing is due, with the milliseconds after which to check again
   */
  void keep(LongConsumer then) {
    if (machine.phase() == LeasePhase.LOST) {
      machine.again();
    }
    Moment asked = process.now();
    switch (machine.next(asked, news)) {
      case LeaseEffect.LookUp look ->
          decisions.provisioner(
              process,
              found -> {
                if (found == null) {
                  machine.failed(process.now());
                } else {
                  looked(found);
                }
                keep(then);
              });
      case LeaseEffect.Take take -> take(asked, take.length(), then);
      case LeaseEffect.Write write -> {
        news = false;
        ProvisionerEntry next = entry(asked, write.length(), fleet, 0, oldestOpen);
        decisions.renew(process, next, renewed -> answered(renewed, false, then));
      }
      case LeaseEffect.Wait wait -> then.accept(wait.millis());
      case LeaseEffect.Nothing nothing -> then.accept(LeaseMachine.RETRY_MILLIS);
    }
  }

  private void looked(Optional<ProvisionerEntry> found) {
    seen = found;
    machine.found(found.map(this::finding).orElseGet(LeaseFinding.Gone::new), process.now());
  }

  private LeaseFinding finding(ProvisionerEntry entry) {
    SeenLease lease = new SeenLease(entry.holder(), entry.leaseEnd(), entry.updatedMillis());
    lastWritten = Math.max(lastWritten, entry.updatedMillis());
    if (!entry.holder().equals(process.name())) {
      return new LeaseFinding.Other(lease);
    }
    if (lease.letGo()) {
      return new LeaseFinding.LetGo();
    }
    if (machine.phase() == LeasePhase.LOOKING) {
      terms++;
      before = Long.MAX_VALUE;
    }
    return new LeaseFinding.Mine();
  }

  private void take(Moment asked, long length, LongConsumer then) {
    ProvisionerEntry next =
        entry(
            asked,
            length,
            ProvisionerEntry.Fleet.UNSEEN,
            seen.map(ProvisionerEntry::nextDecision).orElse(1L),
            seen.map(ProvisionerEntry::oldestOpen).orElse(1L));
    decisions.take(process, next, seen, taken -> answered(taken, true, then));
  }

  private ProvisionerEntry entry(
      Moment now, long length, ProvisionerEntry.Fleet shown, long nextDecision, long oldest) {
    long end = SeenLease.endOf(now.service(), lastWritten, length);
    lastWritten = end - length;
    return new ProvisionerEntry(
        process.name(), "", end, told, nextDecision, oldest, shown, lastWritten);
  }

  private void answered(@Nullable Boolean accepted, boolean taking, LongConsumer then) {
    if (accepted == null) {
      machine.failed(process.now());
    } else if (accepted) {
      if (taking) {
        terms++;
        before = seen.map(ProvisionerEntry::heldUntil).orElse(0L);
      }
      machine.written(process.now());
    } else {
      machine.refused(process.now());
    }
    keep(then);
  }
}
