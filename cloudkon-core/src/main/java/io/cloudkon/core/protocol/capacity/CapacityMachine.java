package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One worker's side of the ledger (section 6 of the protocol): brings its slots, keeps its shares
 * alive, admits and frees gangs, sweeps what has expired. A change that failed in passing is made
 * again under the same token until it is answered. Pure; used by one thread at a time.
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
   * @param tokens fresh ones, of at most 36 characters
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

  /** The sums as they were read last. */
  public LedgerCounter counter() {
    return counter;
  }

  /** The reservation as it was read last; null if there was none. */
  public @Nullable Reservation reservation() {
    return reservation.current();
  }

  /** Nothing is asked that is not answered, and no gang has slots. */
  public boolean settled() {
    return changes.isEmpty() && gangs.isEmpty();
  }

  // ---- what is wanted

  /** Asks for slots for these gangs; answered by {@code Admitted} or {@code Refused}. */
  public List<CapacityEffect> admit(List<Share> wanted) {
    changes.ask(token -> new LedgerChange.Admit(token, wanted, counter.reserved()));
    return take();
  }

  /** The same for the gang of the job that has the reservation. */
  public List<CapacityEffect> admitReserved(Share gang) {
    changes.ask(token -> new LedgerChange.AdmitReserved(token, gang));
    return take();
  }

  /** A gang needs its slots no more. */
  public List<CapacityEffect> free(String gang) {
    Share share = gangs.remove(gang);
    if (share != null) {
      changes.ask(token -> new LedgerChange.Remove(token, share, false));
    }
    return take();
  }

  /**
   * Asks for the reservation for a job, whoever holds it: all of the ledger is read by turns, and
   * its own worker's may come late. That worker finds it by its next look, and renews it or gives
   * it back. What came of it is told by {@code Reserved}.
   */
  public List<CapacityEffect> reserve(Waiting job, Moment now) {
    reservation.reserve(job, now);
    return take();
  }

  /** The job that has the reservation needs it no more. */
  public List<CapacityEffect> unreserve(String job) {
    reservation.unreserve(job);
    return take();
  }

  /** Says that a job waits; to be said again before its lease is over. */
  public List<CapacityEffect> await(Waiting waiting) {
    effects.add(new CapacityEffect.PutWaiting(waiting));
    return take();
  }

  /** The job waits no more. */
  public List<CapacityEffect> awaitNoMore(String job) {
    effects.add(new CapacityEffect.RemoveWaiting(job, settings.worker()));
    return take();
  }

  /** Something waits for room: see {@link LedgerReads} for how soon is read what. */
  public void look() {
    reads.want();
  }

  /** The worker leaves. */
  public List<CapacityEffect> leave() {
    own.leave();
    return take();
  }

  // ---- what happens

  /** Time went by: joins, renews, reads. */
  public List<CapacityEffect> tick(Moment now) {
    long leaseEnd = now.service() + settings.lease().lease();
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

  /** A change was answered. */
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

  /** A change failed in passing, and the back-off is over: the same again. */
  public List<CapacityEffect> changeFailed(String token) {
    changes.askAgain(token);
    return take();
  }

  /** A renewal was answered; one that failed in passing is not told, the next one follows. */
  public List<CapacityEffect> renewed(String key, boolean there) {
    if (!there && own.is(key)) {
      own.gone();
    } else if (!there) {
      gangs.gone(key);
    }
    return take();
  }

  /** The reservation's renewal was answered. */
  public List<CapacityEffect> reservationRenewed(String job, boolean there) {
    if (!there) {
      reservation.gone(job);
    }
    return take();
  }

  /** The ledger was read. */
  public List<CapacityEffect> viewed(LedgerView view, Moment now) {
    reads.viewed(view, now);
    counter = view.counter();
    sweep.viewed(view, now);
    reservation.read(view.reservation(), now);
    effects.add(new CapacityEffect.Viewed(view));
    return take();
  }

  /** Reading failed in passing. */
  public List<CapacityEffect> readFailed() {
    reads.failed();
    return take();
  }

  /**
   * The reservation was looked at.
   *
   * @param sums null if they were not asked for
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

  /** Whoever has the reservation wants to know as soon as enough slots are kept for it. */
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
