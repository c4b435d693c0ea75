package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.capacity.CapacityPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;

/** The slots that one worker brings to the ledger: joins, is renewed, leaves. */
final class OwnShare {
  private final CapacitySettings settings;
  private final Rejoin rejoin;
  private final PendingChanges changes;
  private final Consumer<CapacityEffect> out;
  private CapacityPhase phase = CapacityPhase.TABLE.start();

  /** When a worker that leaves, and has no gang any more, waits for answers no longer. */
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

  /** Brings the slots, unless they are there, the worker leaves, or others join first. */
  void join(long leaseEnd, Moment now) {
    if (phase == CapacityPhase.OUT && rejoin.due(now)) {
      move(Trigger.JOIN);
      changes.ask(token -> new LedgerChange.Join(token, share(leaseEnd)));
    }
  }

  /**
   * They were asked to be there, and that was answered. A refusal means the same: somebody else
   * goes by this id, which nothing but a mistake can bring about.
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

  /** A renewal found them gone: the worker joins anew. */
  void gone() {
    if (phase == CapacityPhase.IN) {
      move(Trigger.SWEPT);
      rejoin.swept();
    }
  }

  /** Takes the slots back. */
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

  /** They are not there any more. */
  void removed() {
    if (phase == CapacityPhase.LEAVING) {
      move(Trigger.LEFT);
    }
  }

  /**
   * A ledger that does not answer keeps nobody: what a worker leaves in it is renewed no more, and
   * others sweep it when its lease is over, as if the worker had died.
   *
   * @param gangs whether gangs still have slots of it
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
