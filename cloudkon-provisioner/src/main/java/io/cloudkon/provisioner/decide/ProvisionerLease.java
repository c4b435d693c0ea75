package io.cloudkon.provisioner.decide;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.LeaseEffect;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.LeaseMachine;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.protocol.lease.SeenLease;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease of the cluster's active provisioner, with its entry. Used by one thread at a time.
 * Costs one write per heartbeat or change of the fleet; while another provisioner holds the lease,
 * one read per heartbeat.
 */
final class ProvisionerLease {
  private final DecisionStore store;
  private final TimeSource time;
  private final String holder;
  private final String host;
  private final ProvisionerEntry.Settings settings;
  private final LeaseMachine machine;
  private Optional<ProvisionerEntry> seen = Optional.empty();
  private long lastWritten;
  private int terms;

  /** The end of the lease before this term; the maximum if it is not known. */
  private long before = Long.MAX_VALUE;

  /** A lease that is not held yet. */
  ProvisionerLease(
      DecisionStore store,
      TimeSource time,
      LeaseSettings leases,
      String holder,
      String host,
      ProvisionerEntry.Settings settings) {
    this.store = store;
    this.time = time;
    this.machine = new LeaseMachine(leases);
    this.holder = holder;
    this.host = host;
    this.settings = settings;
  }

  /** Whether the lease is certain to be valid at this moment; to be called before each effect. */
  boolean valid() {
    return machine.valid(time.now());
  }

  /**
   * The number of times that it was taken. After taking it, a provisioner reads everything that
   * others may have written meanwhile.
   */
  int terms() {
    return terms;
  }

  /**
   * The time after which no earlier holder, or earlier term of this one, had the lease: service
   * clock, epoch milliseconds; {@link Long#MAX_VALUE} if that is not known.
   */
  long before() {
    return before;
  }

  /** The other holder of the lease, as far as it is known. */
  Optional<ProvisionerEntry> other() {
    return seen.filter(entry -> !entry.holder().equals(holder));
  }

  /**
   * Takes or renews the lease if that is due.
   *
   * @param news whether the fleet has changed since it was last written
   * @param oldestOpen see {@link ProvisionerEntry#oldestOpen}
   * @return after how many milliseconds to call this method again
   * @throws CloudKonException if the store failed; the call is to be repeated
   */
  long keep(Fleet fleet, boolean news, long oldestOpen) {
    if (machine.phase() == LeasePhase.LOST) {
      machine.again();
    }
    boolean more = news;
    while (true) {
      Moment now = time.now();
      LeaseEffect effect = machine.next(now, more);
      switch (effect) {
        case LeaseEffect.Wait wait -> {
          return wait.millis();
        }
        case LeaseEffect.Nothing nothing -> {
          return LeaseMachine.RETRY_MILLIS;
        }
        case LeaseEffect.LookUp look -> answered(() -> machine.found(look(), time.now()));
        case LeaseEffect.Take take ->
            answered(() -> written(store.take(taking(now, take.length()), seen), true));
        case LeaseEffect.Write write -> {
          more = false;
          answered(
              () -> written(store.renew(entry(now, write.length(), fleet, 0, oldestOpen)), false));
        }
      }
    }
  }

  private void answered(Runnable call) {
    try {
      call.run();
    } catch (MissingResourceException e) {
      machine.lost();
      throw e;
    } catch (CloudKonException e) {
      machine.failed(time.now());
      throw e;
    }
  }

  private LeaseFinding look() {
    seen = store.provisioner();
    @Nullable ProvisionerEntry entry = seen.orElse(null);
    if (entry == null) {
      return new LeaseFinding.Gone();
    }
    SeenLease lease = new SeenLease(entry.holder(), entry.leaseEnd(), entry.updatedMillis());
    lastWritten = Math.max(lastWritten, entry.updatedMillis());
    if (!entry.holder().equals(holder)) {
      return new LeaseFinding.Other(lease);
    }
    if (lease.letGo()) {
      return new LeaseFinding.LetGo();
    }
    if (machine.phase() == LeasePhase.LOOKING) {
      terms++; // a take whose answer was lost
      before = Long.MAX_VALUE;
    }
    return new LeaseFinding.Mine();
  }

  private void written(boolean accepted, boolean taken) {
    if (!accepted) {
      machine.refused(time.now());
      return;
    }
    if (taken) {
      terms++;
      before = seen.map(ProvisionerEntry::heldUntil).orElse(0L);
    }
    machine.written(time.now());
  }

  private ProvisionerEntry taking(Moment now, long length) {
    long next = seen.map(ProvisionerEntry::nextDecision).orElse(1L);
    return entry(now, length, Fleet.UNSEEN, next, 1);
  }

  private ProvisionerEntry entry(
      Moment now, long length, Fleet fleet, long nextDecision, long oldestOpen) {
    long end = SeenLease.endOf(now.earliest(), lastWritten, length);
    lastWritten = end - length;
    // A provisioner that has not read the decisions yet knows less than the author of the entry.
    long oldest = Math.max(oldestOpen, seen.map(ProvisionerEntry::oldestOpen).orElse(1L));
    return new ProvisionerEntry(
        holder, host, end, settings, nextDecision, oldest, fleet, lastWritten);
  }

  /**
   * Releases the lease if it is held, so that another provisioner can take it at once. Makes one
   * write, repeated once if it fails.
   */
  void letGo(Fleet fleet, long oldestOpen) {
    machine.letGo();
    try {
      long unused = keep(fleet, false, oldestOpen);
    } catch (MissingResourceException e) {
      return; // nobody needs a lease on what is gone
    } catch (CloudKonException e) {
      machine.letGo();
      long unused = keep(fleet, false, oldestOpen);
    }
  }
}
