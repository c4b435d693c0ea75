package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.capacity.CapacityPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Supplier<String> tokens;
  private final LedgerReads reads;
  private final List<CapacityEffect> effects = new ArrayList<>();
  private final Map<String, LedgerChange> asked = new LinkedHashMap<>();

  /** Admitted and not given up. */
  private final Map<String, Share> gangs = new LinkedHashMap<>();

  private final Set<String> beingSwept = new HashSet<>();
  private CapacityPhase phase = CapacityPhase.TABLE.start();
  private boolean leaveWanted;

  /** When a worker that leaves, and has no gang any more, waits for answers no longer. */
  private long givesUpAt = Long.MAX_VALUE;

  private LedgerCounter counter = LedgerCounter.NONE;
  private @Nullable Reservation reservation;
  private long renewAt = Long.MIN_VALUE / 2;
  private long reservationRenewAt = Long.MIN_VALUE / 2;

  /**
   * A worker that is not in the ledger yet.
   *
   * @param tokens fresh ones, of at most 36 characters
   */
  public CapacityMachine(CapacitySettings settings, Supplier<String> tokens) {
    this.settings = settings;
    this.tokens = tokens;
    this.reads = new LedgerReads(settings.worker());
  }

  public CapacityPhase phase() {
    return phase;
  }

  /** The sums as they were read last. */
  public LedgerCounter counter() {
    return counter;
  }

  /** The reservation as it was read last; null if there was none. */
  public @Nullable Reservation reservation() {
    return reservation;
  }

  /** Nothing is asked that is not answered, and no gang has slots. */
  public boolean settled() {
    return asked.isEmpty() && gangs.isEmpty();
  }

  // ---- what is wanted

  /** Asks for slots for these gangs; answered by {@code Admitted} or {@code Refused}. */
  public List<CapacityEffect> admit(List<Share> wanted) {
    ask(new LedgerChange.Admit(tokens.get(), wanted, counter.reserved()));
    return take();
  }

  /** The same for the gang of the job that has the reservation. */
  public List<CapacityEffect> admitReserved(Share gang) {
    ask(new LedgerChange.AdmitReserved(tokens.get(), gang));
    return take();
  }

  /** A gang needs its slots no more. */
  public List<CapacityEffect> free(String gang) {
    Share share = gangs.remove(gang);
    if (share != null) {
      ask(new LedgerChange.Remove(tokens.get(), share, false));
    }
    return take();
  }

  /**
   * Asks for the reservation for a job, whoever holds it: all of the ledger is read by turns, and
   * its own worker's may come late. That worker finds it by its next look, and renews it or gives
   * it back. What came of it is told by {@code Reserved}.
   */
  public List<CapacityEffect> reserve(Waiting job, Moment now) {
    if (!isAsked(LedgerChange.Reserve.class)) {
      long leaseEnd = now.service() + settings.lease().lease();
      Reservation wanted = Reservation.of(job.job(), job.ranks(), job.worker(), leaseEnd);
      ask(new LedgerChange.Reserve(tokens.get(), wanted));
    }
    return take();
  }

  /** The job that has the reservation needs it no more. */
  public List<CapacityEffect> unreserve(String job) {
    Reservation current = reservation;
    if (current != null && current.job().equals(job) && mine(current)) {
      reservation = null;
      ask(new LedgerChange.Unreserve(tokens.get(), current, false));
      effects.add(new CapacityEffect.Reserved(null));
    }
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
    leaveWanted = true;
    switch (phase) {
      case OUT -> move(Trigger.LEAVE);
      case IN -> {
        move(Trigger.LEAVE);
        ask(new LedgerChange.Remove(tokens.get(), own(0), false));
      }
      case JOINING, LEAVING, LEFT -> {}
    }
    return take();
  }

  // ---- what happens

  /** Time went by: joins, renews, reads. */
  public List<CapacityEffect> tick(Moment now) {
    long leaseEnd = now.service() + settings.lease().lease();
    if (phase == CapacityPhase.OUT && !leaveWanted) {
      move(Trigger.JOIN);
      ask(new LedgerChange.Join(tokens.get(), own(leaseEnd)));
    }
    if (now.mono() >= renewAt) {
      renewAt = now.mono() + settings.lease().heartbeat();
      if (phase == CapacityPhase.IN) {
        effects.add(new CapacityEffect.Renew(own(leaseEnd)));
      }
      gangs.replaceAll((id, share) -> share.until(leaseEnd));
      gangs.values().forEach(share -> effects.add(new CapacityEffect.Renew(share)));
    }
    Reservation held = reservation;
    if (held != null && mine(held) && now.mono() >= reservationRenewAt) {
      reservationRenewAt = now.mono() + settings.lease().heartbeat();
      effects.add(new CapacityEffect.RenewReservation(held.job(), held.worker(), leaseEnd));
    }
    giveUp(now);
    if (phase != CapacityPhase.LEFT) {
      reads.next(now, lookEvery()).ifPresent(effects::add);
    }
    return take();
  }

  /**
   * A ledger that does not answer keeps nobody: what a worker leaves in it is renewed no more, and
   * others sweep it when its lease is over, as if the worker had died.
   */
  private void giveUp(Moment now) {
    if (!leaveWanted || !gangs.isEmpty()) {
      givesUpAt = Long.MAX_VALUE;
    } else if (givesUpAt == Long.MAX_VALUE) {
      givesUpAt = now.mono() + settings.lease().heartbeat();
    } else if (now.mono() >= givesUpAt) {
      asked.clear();
      if (phase != CapacityPhase.LEFT) {
        move(Trigger.LEFT);
      }
    }
  }

  /** A change was answered. */
  public List<CapacityEffect> changed(String token, boolean accepted, Moment now) {
    LedgerChange change = asked.remove(token);
    switch (change) {
      case null -> {}
      case LedgerChange.Join join -> {
        if (phase == CapacityPhase.JOINING) {
          // Refused: somebody else goes by this id, which nothing but a mistake can bring about.
          move(Trigger.JOINED);
          reads.want();
        }
        if (leaveWanted) {
          effects.addAll(leave());
        }
      }
      case LedgerChange.Admit admit -> admitted(admit.gangs(), accepted);
      case LedgerChange.AdmitReserved admit -> {
        admitted(List.of(admit.gang()), accepted);
        Reservation current = reservation;
        if (accepted && current != null && current.job().equals(admit.gang().job())) {
          reservation =
              new Reservation(
                  current.job(),
                  current.ranks(),
                  current.worker(),
                  true,
                  current.held(),
                  current.leaseEnd());
          effects.add(new CapacityEffect.Reserved(reservation));
        }
      }
      case LedgerChange.Remove remove -> {
        beingSwept.remove(remove.share().key());
        if (accepted) {
          counter = counter.plus(-remove.share().freed(), 0);
        }
        if (remove.swept()) {
          reads.wantRoom();
        }
        if (phase == CapacityPhase.LEAVING && remove.share().key().equals(own(0).key())) {
          move(Trigger.LEFT);
        }
      }
      case LedgerChange.Reserve reserve -> {
        if (accepted) {
          reservation = reserve.reservation();
          reservationRenewAt = now.mono() + settings.lease().heartbeat();
          effects.add(new CapacityEffect.Reserved(reservation));
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
    LedgerChange change = asked.get(token);
    if (change != null) {
      effects.add(new CapacityEffect.Change(change));
    }
    return take();
  }

  /** A renewal was answered; one that failed in passing is not told, the next one follows. */
  public List<CapacityEffect> renewed(String key, boolean there) {
    if (there) {
      return take();
    }
    if (key.equals(own(0).key())) {
      if (phase == CapacityPhase.IN) {
        move(Trigger.SWEPT);
      }
    } else {
      gangs.values().stream()
          .filter(share -> share.key().equals(key))
          .findFirst()
          .ifPresent(share -> {
            gangs.remove(share.id());
            effects.add(new CapacityEffect.Lost(share.id()));
          });
    }
    return take();
  }

  /** The reservation's renewal was answered. */
  public List<CapacityEffect> reservationRenewed(String job, boolean there) {
    Reservation current = reservation;
    if (!there && current != null && current.job().equals(job) && mine(current)) {
      saw(null);
    }
    return take();
  }

  /** The ledger was read. */
  public List<CapacityEffect> viewed(LedgerView view, Moment now) {
    reads.viewed(view, now);
    counter = view.counter();
    long expired = now.service() - settings.lease().margin();
    for (Share share : view.shares()) {
      if (share.leaseEnd() < expired && !known(share) && beingSwept.add(share.key())) {
        ask(new LedgerChange.Remove(tokens.get(), share, true));
      }
    }
    for (Waiting job : view.waiting()) {
      // A lease later whoever received its message next has taken over since when it waits.
      if (job.leaseEnd() + settings.lease().lease() < expired) {
        effects.add(new CapacityEffect.RemoveWaiting(job.job(), job.worker()));
      }
    }
    sawOrSweeps(view.reservation(), now);
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
    sawOrSweeps(found, now);
    return take();
  }

  // ---- inside

  private void admitted(List<Share> wanted, boolean accepted) {
    if (accepted) {
      int slots = wanted.stream().mapToInt(Share::slots).sum();
      counter = counter.plus(-slots, 0);
      wanted.forEach(share -> gangs.put(share.id(), share));
      effects.add(new CapacityEffect.Admitted(wanted));
    } else {
      reads.want();
      effects.add(new CapacityEffect.Refused(wanted));
    }
  }

  /** Whether it is renewed here. A late copy of an admission brings shares that nobody knows. */
  private boolean known(Share share) {
    return switch (share.kind()) {
      case WORKER -> share.id().equals(settings.worker());
      case GANG -> gangs.containsKey(share.id());
    };
  }

  private void sawOrSweeps(@Nullable Reservation found, Moment now) {
    boolean expired = found != null && found.leaseEnd() < now.service() - settings.lease().margin();
    if (found == null || !expired || mine(found)) {
      saw(found);
      return;
    }
    if (!isAsked(LedgerChange.Unreserve.class)) {
      ask(new LedgerChange.Unreserve(tokens.get(), found, true));
    }
    saw(null);
  }

  private void saw(@Nullable Reservation found) {
    Reservation before = reservation;
    reservation = found;
    boolean same = found == null ? before == null : found.equals(before);
    if (!same) {
      effects.add(new CapacityEffect.Reserved(found));
    }
  }

  /** Whoever has the reservation wants to know as soon as enough slots are kept for it. */
  private long lookEvery() {
    Reservation current = reservation;
    boolean pressing = current != null && mine(current) && !current.admitted();
    return pressing ? Math.min(LOOK_OFTEN_MILLIS, settings.lookMillis()) : settings.lookMillis();
  }

  private boolean isAsked(Class<? extends LedgerChange> kind) {
    return asked.values().stream().anyMatch(kind::isInstance);
  }

  private void ask(LedgerChange change) {
    asked.put(change.token(), change);
    effects.add(new CapacityEffect.Change(change));
  }

  private Share own(long leaseEnd) {
    return Share.ofWorker(settings.worker(), settings.slots(), leaseEnd);
  }

  private boolean mine(Reservation of) {
    return of.worker().equals(settings.worker());
  }

  private void move(Trigger trigger) {
    phase = CapacityPhase.TABLE.next(phase, trigger);
  }

  private List<CapacityEffect> take() {
    List<CapacityEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }
}
