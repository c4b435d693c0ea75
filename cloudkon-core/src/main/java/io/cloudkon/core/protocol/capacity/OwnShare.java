package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.capacity.CapacityPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;

/** The slots that a worker contributes to the ledger, from joining through renewals to leaving. */
final class OwnShare {
  private final CapacitySettings settings;
  private final Rejoin rejoin;
  private final PendingChanges changes;
  private final Consumer<CapacityEffect> out;
  private CapacityPhase phase = CapacityPhase.TABLE.start();

  /** The time at which a worker that leaves and has no gangs stops waiting for answers. */
  private long givesUpAt = Long.MAX_VALUE;

  OwnShare(CapacitySettings settings, PendingChanges changes, Consumer<CapacityEffect> out) {
    this.settings = settings;
    this.rejoin = new Rejoin(settings.worker(), settings.lease().lease());
    this.changes = changes;
    this.out = out;
  }

  CapacityPhase phase() {
    return phase;
  }

  boolean is(String key) {
    return key.equals(share(0).key());
  }

  /**
   * Joins with the slots, unless they are in the ledger, the worker leaves, or it is not yet its
   * turn to rejoin.
   */
  void join(long leaseEnd, Moment now) {
    if (phase == CapacityPhase.OUT && rejoin.due(now)) {
      move(Trigger.JOIN);
      changes.ask(token -> new LedgerChange.Join(token, share(leaseEnd)));
    }
  }

  /**
   * Handles the answer to joining. A refusal has the same effect: another worker uses this id,
   * which can only be a mistake.
   */
  void joined() {
    move(Trigger.JOINED);
    if (phase == CapacityPhase.LEAVING) {
      remove();
    }
  }

  void renew(long leaseEnd) {
    if (phase == CapacityPhase.IN) {
      out.accept(new CapacityEffect.Renew(share(leaseEnd)));
    }
  }

  /** Handles a renewal that did not find the slots: the worker joins again. */
  void gone() {
    if (phase == CapacityPhase.IN) {
      move(Trigger.SWEPT);
      rejoin.swept();
    }
  }

  /** Removes the slots. */
  void leave() {
    switch (phase) {
      case OUT, JOINING -> move(Trigger.LEAVE);
      case IN -> {
        move(Trigger.LEAVE);
        remove();
      }
      case WITHDRAWING, LEAVING, LEFT -> {}
    }
  }

  private void remove() {
    changes.ask(token -> new LedgerChange.Remove(token, share(0), false));
  }

  /** Records that the slots were removed. */
  void removed() {
    if (phase == CapacityPhase.LEAVING) {
      move(Trigger.LEFT);
    }
  }

  /**
   * Stops waiting for a ledger that does not answer: the worker's entries are no longer renewed,
   * and others sweep them when their leases are over, as if the worker had died.
   *
   * @param gangs whether gangs still have slots of the worker
   */
  void giveUp(boolean gangs, Moment now) {
    if (gangs || !leaves()) {
      givesUpAt = Long.MAX_VALUE;
    } else if (givesUpAt == Long.MAX_VALUE) {
      givesUpAt = now.mono() + settings.lease().heartbeat();
    } else if (now.mono() >= givesUpAt) {
      changes.forgetAll();
      if (phase != CapacityPhase.LEFT) {
        move(Trigger.LEFT);
      }
    }
  }

  private boolean leaves() {
    return switch (phase) {
      case OUT, JOINING, IN -> false;
      case WITHDRAWING, LEAVING, LEFT -> true;
    };
  }

  private Share share(long leaseEnd) {
    return Share.ofWorker(settings.worker(), settings.slots(), leaseEnd);
  }

  private void move(Trigger trigger) {
    phase = CapacityPhase.TABLE.next(phase, trigger);
  }
}
