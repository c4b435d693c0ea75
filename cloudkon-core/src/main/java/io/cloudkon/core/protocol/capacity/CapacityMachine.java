package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One worker's side of the ledger (section 6 of the protocol): contributes its slots, renews its
 * shares, admits and frees gangs, and sweeps expired entries. A change that failed temporarily is
 * repeated with the same token until it is answered. Pure; used by one thread at a time.
 */
public final class CapacityMachine {
  private static final long LOOK_OFTEN_MILLIS = 250;

  private final CapacitySettings settings;
  private final List<CapacityEffect> effects = new ArrayList<>();
  private final LedgerReads reads;
  private final PendingChanges changes;
  private final OwnShare own;
  private final GangShares gangs;
  private final KnownReservation reservation;
  private final LedgerSweep sweep;
  private LedgerCounter counter = LedgerCounter.NONE;
  private long renewAt = Long.MIN_VALUE / 2;

  /**
   * A worker that is not in the ledger yet.
   *
   * @param tokens supplies new tokens of at most 36 characters
   */
  public CapacityMachine(CapacitySettings settings, Supplier<String> tokens) {
    this.settings = settings;
    this.reads = new LedgerReads(settings.worker());
    this.changes = new PendingChanges(tokens, effects::add);
    this.own = new OwnShare(settings, changes, effects::add);
    this.gangs = new GangShares(effects::add);
    this.reservation = new KnownReservation(settings, changes, effects::add);
    this.sweep = new LedgerSweep(settings, changes, gangs, effects::add);
  }

  public CapacityPhase phase() {
    return own.phase();
  }

  /** The totals at the last reading. */
  public LedgerCounter counter() {
    return counter;
  }

  /** The reservation at the last reading; null if there was none. */
  public @Nullable Reservation reservation() {
    return reservation.current();
  }

  /** Whether every request was answered and no gang has slots. */
  public boolean settled() {
    return changes.isEmpty() && gangs.isEmpty();
  }

  // ---- what is wanted

  /** Requests slots for these gangs; answered by {@code Admitted} or {@code Refused}. */
  public List<CapacityEffect> admit(List<Share> wanted) {
    changes.ask(token -> new LedgerChange.Admit(token, wanted, counter.reserved()));
    return take();
  }

  /** Requests slots for the gang of the job with the reservation. */
  public List<CapacityEffect> admitReserved(Share gang) {
    changes.ask(token -> new LedgerChange.AdmitReserved(token, gang));
    return take();
  }

  /** Frees the slots of a gang. */
  public List<CapacityEffect> free(String gang) {
    Share share = gangs.remove(gang);
    if (share != null) {
      changes.ask(token -> new LedgerChange.Remove(token, share, false));
    }
    return take();
  }

  /**
   * Requests the reservation for a job of any worker: workers take turns at reading the whole
   * ledger, and the turn of the job's own worker may come late. That worker finds the reservation
   * at its next reading, and renews or releases it. The outcome is reported by {@code Reserved}.
   */
  public List<CapacityEffect> reserve(Waiting job, Moment now) {
    reservation.reserve(job, now);
    return take();
  }

  /** Releases the reservation of a job. */
  public List<CapacityEffect> unreserve(String job) {
    reservation.unreserve(job);
    return take();
  }

  /** Writes a waiting job; to be repeated before its lease is over. */
  public List<CapacityEffect> await(Waiting waiting) {
    effects.add(new CapacityEffect.PutWaiting(waiting));
    return take();
  }

  /** Removes a waiting job. */
  public List<CapacityEffect> awaitNoMore(String job) {
    effects.add(new CapacityEffect.RemoveWaiting(job, settings.worker()));
    return take();
  }

  /**
   * Requests a reading because a job waits for room; {@link LedgerReads} determines what is read
   * when.
   */
  public void look() {
    reads.want();
  }

  /** Leaves the ledger. */
  public List<CapacityEffect> leave() {
    own.leave();
    return take();
  }

  // ---- what happens

  /** Handles the passing of time: joins, renews, reads. */
  public List<CapacityEffect> tick(Moment now) {
    long leaseEnd = now.leaseEnd(settings.lease().lease());
    own.join(leaseEnd, now);
    if (now.mono() >= renewAt) {
      renewAt = now.mono() + settings.lease().heartbeat();
      own.renew(leaseEnd);
      gangs.renew(leaseEnd);
    }
    reservation.renew(leaseEnd, now);
    own.giveUp(!gangs.isEmpty(), now);
    if (own.phase() != CapacityPhase.LEFT) {
      reads.next(now, lookEvery()).ifPresent(effects::add);
    }
    return take();
  }

  /** Handles the answer to a change. */
  public List<CapacityEffect> changed(String token, boolean accepted, Moment now) {
    switch (changes.answered(token)) {
      case null -> {}
      case LedgerChange.Join join -> {
        own.joined();
        reads.want();
      }
      case LedgerChange.Admit admit -> admitted(admit.gangs(), accepted);
      case LedgerChange.AdmitReserved admit -> {
        admitted(List.of(admit.gang()), accepted);
        if (accepted) {
          reservation.admitted(admit.gang().job());
        }
      }
      case LedgerChange.Remove remove -> {
        sweep.answered(remove.share());
        if (accepted) {
          counter = counter.plus(-remove.share().freed(), 0);
        }
        if (remove.swept()) {
          reads.wantRoom();
        }
        if (own.is(remove.share().key())) {
          own.removed();
        }
      }
      case LedgerChange.Reserve reserve -> {
        if (accepted) {
          reservation.reserved(reserve.reservation(), now);
        } else {
          reads.wantRoom();
        }
      }
      case LedgerChange.Unreserve unreserve -> reads.want();
    }
    return take();
  }

  /** Repeats a change that failed temporarily, after the back-off. */
  public List<CapacityEffect> changeFailed(String token) {
    changes.askAgain(token);
    return take();
  }

  /**
   * Handles the answer to a renewal; a temporary failure is not reported, because the next renewal
   * follows.
   */
  public List<CapacityEffect> renewed(String key, boolean there) {
    if (!there && own.is(key)) {
      own.gone();
    } else if (!there) {
      gangs.gone(key);
    }
    return take();
  }

  /** Handles the answer to the reservation's renewal. */
  public List<CapacityEffect> reservationRenewed(String job, boolean there) {
    if (!there) {
      reservation.gone(job);
    }
    return take();
  }

  /** Handles a reading of the ledger. */
  public List<CapacityEffect> viewed(LedgerView view, Moment now) {
    reads.viewed(view, now);
    counter = view.counter();
    sweep.viewed(view, now);
    reservation.read(view.reservation(), now);
    return take();
  }

  /** Handles a temporary failure of a reading. */
  public List<CapacityEffect> readFailed() {
    reads.failed();
    return take();
  }

  /**
   * Handles a reading of the reservation.
   *
   * @param sums the totals; null if they were not read
   */
  public List<CapacityEffect> looked(
      @Nullable LedgerCounter sums, @Nullable Reservation found, Moment now) {
    reads.looked();
    if (sums != null) {
      counter = sums;
    }
    reservation.read(found, now);
    return take();
  }

  // ---- inside

  private void admitted(List<Share> wanted, boolean accepted) {
    if (accepted) {
      int slots = wanted.stream().mapToInt(Share::slots).sum();
      counter = counter.plus(-slots, 0);
      gangs.admitted(wanted);
      effects.add(new CapacityEffect.Admitted(wanted));
    } else {
      reads.want();
      effects.add(new CapacityEffect.Refused(wanted));
    }
  }

  /**
   * How often the reservation is read; more often if this worker has it and must learn when enough
   * slots are kept for it.
   */
  private long lookEvery() {
    return reservation.pressing()
        ? Math.min(LOOK_OFTEN_MILLIS, settings.lookMillis())
        : settings.lookMillis();
  }

  private List<CapacityEffect> take() {
    List<CapacityEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }
}
