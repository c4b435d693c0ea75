package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.CapacityMachine;
import io.cloudkon.core.protocol.capacity.CapacityPhase;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One worker as the manager of HPC jobs (section 6 of the protocol): reserve, claim, offer the
 * ranks, start when all are there, settle, free. A gang that stands serves further jobs of its
 * size. Pure; used by one thread at a time.
 */
public final class ManagerMachine {
  private static final Positions THE_JOB = Positions.range(0, 1);

  /** Jobs that wait for room in a worker's hands at most; more wait where others see them. */
  private static final int MOST_WAITING = 8;

  /** Jobs more than it has slots whose results cannot leave: then it takes no other. */
  private static final int MOST_SETTLING = 100;

  /** A gang without a job is kept so long for the next one, in milliseconds. */
  private static final long LINGER_MILLIS = 500;

  /** A job may wait behind another that is likely to take less than this, in milliseconds. */
  private static final long SHORT_MILLIS = 1_000;

  /** What waits longer than this is told to others, in milliseconds. */
  private static final long TOLD_AFTER_MILLIS = 1_000;

  /** A job that is too large for the live workers waits so long for more, in milliseconds. */
  private static final long TOO_LARGE_MILLIS = 20_000;

  private static final long RECEIVE_BACK_OFF_MILLIS = 200;

  /** Room for some jobs waits so long for room for more of them, in milliseconds. */
  private static final long GATHER_MILLIS = 50;

  private static final int MOST_DOUBLINGS = 5;

  private final GangSettings settings;
  private final Supplier<String> names;
  private final CapacityMachine capacity;
  private final List<Job> jobs = new ArrayList<>();
  private final Map<String, Gang> gangs = new LinkedHashMap<>();
  private final List<GangEffect> effects = new ArrayList<>();

  /** How many slots live workers had when the ledger was read last; negative before that. */
  private int liveSlots = -1;

  /** What a provisioner could launch when that was read last; null before that. */
  private RankLimit.@Nullable Fleet launchable;

  /** When both were last read one after the other; monotonic milliseconds. */
  private long judgedAt;

  /** When what was read last was asked for. */
  private Moment viewBegun = new Moment(0, 0);

  /** What came with it. */
  private RankLimit.@Nullable Fleet fleetSeen;

  private long nextKey = -1;
  private boolean admitting;
  private boolean receiving;
  private int receiveFailures;
  private long receiveAt = Long.MIN_VALUE / 2;

  /** Since when there has been room for a job, monotonic milliseconds. */
  private long roomSince = Long.MAX_VALUE;

  private boolean draining;
  private boolean killing;

  /**
   * A worker that is not in the ledger yet.
   *
   * @param names fresh names, of at most 36 characters, never given before by anybody
   */
  public ManagerMachine(GangSettings settings, Supplier<String> names) {
    this.settings = settings;
    this.names = names;
    this.capacity =
        new CapacityMachine(
            new CapacitySettings(
                settings.worker(), settings.slots(), settings.lease(), settings.lookMillis()),
            names);
  }

  /** Event in, effects out. */
  public List<GangEffect> on(GangEvent event, Moment now) {
    switch (event) {
      case GangEvent.Received received -> received(received, now);
      case GangEvent.ReceiveFailed failed -> {
        receiving = false;
        long wait = RECEIVE_BACK_OFF_MILLIS << Math.min(receiveFailures++, MOST_DOUBLINGS);
        receiveAt = now.mono() + wait;
      }
      case GangEvent.OfBundle of ->
          job(j -> j.key == of.job()).ifPresent(job -> tell(job, of.event(), now));
      case GangEvent.ClaimRead read ->
          job(j -> j.key == read.job()).ifPresent(job -> claimRead(job, read.claim(), now));
      case GangEvent.Offered offered -> {}
      case GangEvent.OfferFailed failed -> {
        Gang gang = gangs.get(failed.gang());
        if (gang != null) {
          gang.offered = false;
        }
      }
      case GangEvent.Register register -> register(register, now);
      case GangEvent.Report report -> report(report, now);
      case GangEvent.StartFailed failed -> {
        Gang gang = gangs.get(failed.gang());
        if (gang != null && gang.running()) {
          gang.lose(failed.worker());
        }
      }
      case GangEvent.LaunchFailed failed -> {
        Gang gang = launched(failed.gang(), failed.job(), failed.attempt());
        if (gang != null) {
          gang.launchFailed = true;
          if (!failed.started()) {
            gang.nothingRuns();
          }
          stop(gang);
        }
      }
      case GangEvent.NotLaunched not -> {
        Gang gang = launched(not.gang(), not.job(), not.attempt());
        if (gang != null) {
          gang.nothingRuns();
          stop(gang);
        }
      }
      case GangEvent.Changed changed ->
          relay(capacity.changed(changed.token(), changed.accepted(), now), now);
      case GangEvent.ChangeFailed failed -> relay(capacity.changeFailed(failed.token()), now);
      case GangEvent.Renewed renewed ->
          relay(capacity.renewed(renewed.key(), renewed.there()), now);
      case GangEvent.ReservationRenewed renewed ->
          relay(capacity.reservationRenewed(renewed.job(), renewed.there()), now);
      case GangEvent.Viewed viewed -> {
        viewBegun = viewed.begun();
        fleetSeen = viewed.fleet();
        relay(capacity.viewed(viewed.view(), now), now);
      }
      case GangEvent.Looked looked ->
          relay(capacity.looked(looked.sums(), looked.reservation(), now), now);
      case GangEvent.ReadFailed failed -> relay(capacity.readFailed(), now);
      case GangEvent.Drain drain -> drain(now);
      case GangEvent.Kill kill -> {
        killing = true;
        drain(now);
        gangs.values().stream().filter(gang -> gang.phase == GangPhase.SERVING).forEach(this::stop);
      }
      case GangEvent.Tick tick -> {
        relay(capacity.tick(now), now);
        for (Job job : List.copyOf(jobs)) {
          tell(job, new BundleEvent.Tick(), now);
        }
      }
    }
    decide(now);
    List<GangEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  // ---- what is known

  /** Nothing is in hand, and the worker is out of the ledger. */
  public boolean drained() {
    return draining
        && !receiving
        && jobs.isEmpty()
        && gangs.isEmpty()
        && capacity.settled()
        && capacity.phase() == CapacityPhase.LEFT;
  }

  /** Jobs in hand. */
  public int jobsInHand() {
    return jobs.size();
  }

  /** Gangs that it manages. */
  public int gangsManaged() {
    return gangs.size();
  }

  /** The attempt of the claim of a job; 0 if it is not in hand. */
  public int attempt(long key) {
    return job(j -> j.key == key).map(job -> job.machine.attempt()).orElse(0);
  }

  @Override
  public String toString() {
    return "jobs %s, gangs %s, ledger %s".formatted(jobs, gangs.values(), capacity.phase());
  }

  // ---- jobs

  private Optional<Job> job(Predicate<Job> which) {
    return jobs.stream().filter(which).findFirst();
  }

  private void received(GangEvent.Received received, Moment now) {
    receiving = false;
    receiveFailures = 0;
    for (Arrival arrival : received.jobs()) {
      Job job = new Job(arrival, settings, received.begun());
      jobs.add(job);
      if (draining) {
        tell(job, new BundleEvent.Drain(), now);
      }
    }
  }

  private void tell(Job job, BundleEvent event, Moment now) {
    emit(job, job.machine.on(event, now), now);
    if (job.phase == JobPhase.SETTLING && job.ready() && !draining) {
      // Its last try failed, and it has another.
      job.move(JobPhase.Trigger.AGAIN);
      job.tryAgainAt = now.mono();
    }
  }

  private void emit(Job job, List<BundleEffect> of, Moment now) {
    boolean returns = job.phase == JobPhase.RETURNING && !draining;
    for (BundleEffect effect : of) {
      switch (effect) {
        case BundleEffect.PutBack back when returns -> {}
        case BundleEffect.Close close -> {
          if (returns && close.reason() == BundleEffect.Reason.GIVEN_BACK) {
            long before = job.key;
            String nonce = names.get();
            job.rearm(nextKey--, nonce, now);
            effects.add(new GangEffect.Rearm(before, job.key, nonce));
          } else {
            effects.add(new GangEffect.OfBundle(job.key, effect));
            closed(job);
          }
        }
        case BundleEffect.CallClaims e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.SendResults e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.SendLost e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.SendFailed e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.SendDead e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.SendChild e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.ExtendVisibility e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.PutBack e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.DeleteMessage e -> effects.add(new GangEffect.OfBundle(job.key, e));
        case BundleEffect.Kill e -> {
          effects.add(new GangEffect.OfBundle(job.key, e));
          leaveGang(job);
        }
      }
    }
  }

  private void closed(Job job) {
    leaveGang(job);
    gangs.values().forEach(gang -> gang.forget(job));
    job.move(JobPhase.Trigger.CLOSE);
    jobs.remove(job);
    waitsNoMore(job);
    relayCalls(capacity.unreserve(job.id()));
  }

  /** The job has no gang any more; what of it runs there is ended. */
  private void leaveGang(Job job) {
    Gang gang = job.gang;
    job.gang = null;
    if (gang == null) {
      return;
    }
    if (job.equals(gang.next)) {
      gang.next = null;
    } else if (job.equals(gang.current)) {
      if (gang.phase == GangPhase.SERVING) {
        stop(gang);
      }
      gang.current = null;
    }
  }

  private void claimRead(Job job, @Nullable Claim claim, Moment now) {
    boolean done = claim != null && claim.state() == ClaimState.DONE;
    boolean another =
        claim != null
            && (claim.state() == ClaimState.LEASED || claim.state() == ClaimState.LOSING)
            && claim.leaseEnd() >= now.service() - settings.lease().margin();
    if ((done || another) && job.phase == JobPhase.WAITING && job.unclaimed()) {
      // Asking for it is refused, and what follows a refusal is done: unless it stands otherwise
      // by then, and is given back.
      tell(job, new BundleEvent.Begin(0), now);
    }
  }

  private void drain(Moment now) {
    if (draining) {
      return;
    }
    draining = true;
    for (Job job : List.copyOf(jobs)) {
      if (job.phase == JobPhase.PLACED) {
        leaveGang(job);
      }
      tell(job, new BundleEvent.Drain(), now);
    }
    relay(capacity.leave(), now);
  }

  // ---- gangs

  private void register(GangEvent.Register register, Moment now) {
    Gang gang = gangs.get(register.gang());
    boolean formed = gang != null && gang.phase == GangPhase.FORMING;
    List<Integer> accepted =
        gang == null ? List.of() : gang.register(register.worker(), register.ranks(), now);
    effects.add(
        new GangEffect.Welcome(
            register.call(), register.gang(), accepted, gang == null ? 0 : leaseOf(gang, now)));
    if (gang != null && formed && gang.phase == GangPhase.STANDING) {
      relay(capacity.unreserve(gang.reservedFor), now);
    }
  }

  private void report(GangEvent.Report report, Moment now) {
    Gang gang = gangs.get(report.gang());
    boolean known = gang != null && gang.beat(report.worker(), now);
    if (gang != null) {
      // It stays until it is let go: an order to start may be on its way to it.
      gang.last |= known && report.leaving();
      for (GangEvent.Ended end : report.ended()) {
        boolean first = gang.ended(end, report.leaving());
        if (first && gang.phase == GangPhase.SERVING) {
          stop(gang);
        }
      }
    }
    long lease = gang != null && known ? leaseOf(gang, now) : 0;
    effects.add(new GangEffect.Standing(report.call(), known, lease));
  }

  private long leaseOf(Gang gang, Moment now) {
    Job job = gang.current;
    return switch (gang.phase) {
      case FORMING, STANDING -> settings.lease().lease();
      case SERVING -> job == null ? 0 : job.machine.leaseLeft(now);
      case STOPPING, BREAKING, GONE -> 0;
    };
  }

  /** The gang that runs that attempt of a job; the job itself may have been taken from it. */
  private @Nullable Gang launched(String id, String job, int attempt) {
    Gang gang = gangs.get(id);
    boolean runs =
        gang != null && gang.running() && gang.runs().equals(job) && gang.attempt() == attempt;
    return runs ? gang : null;
  }

  /** Ends what its ranks run. */
  private void stop(Gang gang) {
    if (gang.phase != GangPhase.SERVING) {
      return;
    }
    gang.move(GangPhase.Trigger.STOP);
    Job job = gang.current;
    if (job != null && job.phase == JobPhase.RUNNING) {
      job.move(JobPhase.Trigger.STOP);
    }
    kill(gang);
  }

  private void kill(Gang gang) {
    effects.add(new GangEffect.KillRanks(gang.id, gang.runs(), gang.attempt(), gang.workers()));
  }

  /** Looks after what may have gone wrong with each gang, and what has ended. */
  private void tend(Moment now) {
    for (Gang gang : List.copyOf(gangs.values())) {
      gang.loseSilent(now);
      if (gang.anyLost()) {
        if (gang.phase == GangPhase.SERVING || gang.phase == GangPhase.STOPPING) {
          Job job = gang.current;
          if (job != null && job.phase == JobPhase.RUNNING) {
            job.move(JobPhase.Trigger.STOP);
          }
          gang.move(GangPhase.Trigger.BREAK);
          kill(gang);
        } else if (!gang.running()) {
          dissolve(gang, now);
          continue;
        }
      }
      if (gang.running() && gang.allEnded(now)) {
        finished(gang, now);
      } else if (gang.phase == GangPhase.FORMING && (gang.last || now.mono() >= gang.deadline)) {
        dissolve(gang, now);
      }
    }
  }

  private void finished(Gang gang, Moment now) {
    Job job = gang.current;
    gang.current = null;
    boolean broken = gang.phase == GangPhase.BREAKING;
    if (!broken) {
      gang.move(
          gang.phase == GangPhase.SERVING ? GangPhase.Trigger.SERVED : GangPhase.Trigger.STOPPED);
      gang.served(now);
    }
    if (job != null) {
      job.gang = null;
      settle(gang, job, broken, now);
    }
    if (broken) {
      dissolve(gang, now);
    }
  }

  private void settle(Gang gang, Job job, boolean broken, Moment now) {
    // Ranks fail as well when a worker dies under others they talk to, or ends those.
    boolean failed = !killing && (gang.failedRank() >= 0 || (gang.launchFailed && !gang.left()));
    boolean died = broken || (!failed && (killing || gang.anyKilled() || gang.neverRan()));
    if (died && !gang.complete()) {
      job.move(JobPhase.Trigger.DIED);
      boolean nobodyDied = gang.neverRan() || (!broken && (killing || gang.left()));
      // Said first: what follows may give the claim back at once.
      tell(job, nobodyDied ? new BundleEvent.Drain() : new BundleEvent.AttemptDied(), now);
      Positions never = gang.neverRan() ? THE_JOB : Positions.none();
      Positions killed = gang.neverRan() ? Positions.none() : THE_JOB;
      tell(job, new BundleEvent.Interrupted(never, killed), now);
      return;
    }
    Verdict verdict;
    if (gang.launchFailed) {
      verdict = new Verdict.LaunchFailed();
    } else if (gang.failedRank() >= 0) {
      verdict = new Verdict.RankFailed(gang.failedRank());
    } else {
      verdict = new Verdict.Succeeded();
    }
    job.move(JobPhase.Trigger.ENDED);
    effects.add(new GangEffect.Settle(job.key, verdict));
  }

  private void dissolve(Gang gang, Moment now) {
    gang.move(GangPhase.Trigger.DISSOLVE);
    gangs.remove(gang.id);
    effects.add(new GangEffect.Dissolve(gang.id, gang.workers()));
    if (!gang.reservedFor.isEmpty()) {
      relay(capacity.unreserve(gang.reservedFor), now);
    }
    unplace(gang.current, now);
    unplace(gang.next, now);
    gang.current = null;
    gang.next = null;
    relay(capacity.free(gang.id), now);
    for (Job job : jobs) {
      job.tryAgainAt = Math.min(job.tryAgainAt, now.mono() + RECEIVE_BACK_OFF_MILLIS);
    }
  }

  /** It has no gang any more: it gives its claim back and waits, in the same hands. */
  private void unplace(@Nullable Job job, Moment now) {
    if (job == null) {
      return;
    }
    job.gang = null;
    if (job.phase != JobPhase.PLACED) {
      return;
    }
    if (job.unclaimed()) {
      job.refused(now);
    } else {
      job.move(JobPhase.Trigger.UNPLACE);
      tell(job, new BundleEvent.Drain(), now);
    }
  }

  // ---- decisions

  private void decide(Moment now) {
    tend(now);
    gangs.values().forEach(Gang::promote);
    place(now);
    for (Gang gang : List.copyOf(gangs.values())) {
      advance(gang, now);
    }
    admit(now);
    giveBackReservation(now);
    waiting(now);
    receive(now);
  }

  private void place(Moment now) {
    if (draining) {
      return;
    }
    for (Job job : List.copyOf(jobs)) {
      if (!job.unplaced()) {
        continue;
      }
      for (Gang gang : gangs.values()) {
        if (gang.size == job.ranks && mayServe(gang, job) && takes(gang, job, now)) {
          job.gang = gang;
          begin(job, now);
          break;
        }
      }
    }
  }

  private static boolean takes(Gang gang, Job job, Moment now) {
    if (gang.last || gang.hasServed(job)) {
      return false;
    }
    boolean idle = gang.phase == GangPhase.FORMING || gang.phase == GangPhase.STANDING;
    if (idle && gang.current == null) {
      gang.current = job;
      return true;
    }
    if (gang.next == null && gang.soonFree(now, SHORT_MILLIS)) {
      gang.next = job;
      return true;
    }
    return false;
  }

  /** A gang that stands takes no slot from the job for which slots are kept. */
  private boolean mayServe(Gang gang, Job job) {
    Reservation reservation = capacity.reservation();
    return reservation == null
        || reservation.admitted()
        || reservation.job().equals(job.id())
        || gang.phase == GangPhase.FORMING
        || capacity.counter().free() >= reservation.ranks();
  }

  private void begin(Job job, Moment now) {
    job.move(JobPhase.Trigger.PLACE);
    waitsNoMore(job);
    if (job.unclaimed()) {
      tell(job, new BundleEvent.Begin(0), now);
    }
  }

  private void advance(Gang gang, Moment now) {
    if (gang.last && gang.phase == GangPhase.STANDING) {
      dissolve(gang, now);
      return;
    }
    Job after = gang.next;
    boolean soon = gang.soonFree(now, 2 * SHORT_MILLIS) && !gang.last;
    if (after != null && gang.running() && !soon) {
      gang.next = null;
      unplace(after, now);
    }
    Job job = gang.current;
    switch (gang.phase) {
      case FORMING -> {
        if (job == null) {
          dissolve(gang, now);
        } else if (job.ready() && !gang.offered) {
          gang.offered = true;
          if (gang.deadline == Long.MAX_VALUE) {
            gang.deadline = now.mono() + settings.gangTimeout();
          }
          effects.add(
              new GangEffect.Offer(
                  gang.id,
                  job.key,
                  job.machine.attempt(),
                  gang.size,
                  gang.vacant(),
                  now.service() + gang.deadline - now.mono()));
        }
      }
      case STANDING -> {
        if (job == null) {
          if (now.mono() - gang.idleSince >= LINGER_MILLIS || draining || wantedElsewhere(gang)) {
            dissolve(gang, now);
          }
        } else if (job.ready()) {
          start(gang, job, now);
        }
      }
      case SERVING, STOPPING, BREAKING, GONE -> {}
    }
  }

  private boolean wantedElsewhere(Gang gang) {
    Reservation reservation = capacity.reservation();
    boolean kept = reservation != null && !reservation.admitted();
    return kept
        || jobs.stream()
            .anyMatch(job -> job.unplaced() && (job.ranks != gang.size || gang.hasServed(job)));
  }

  /** Ranks may live for half a lease without a word, and the claim must outlive them. */
  private void start(Gang gang, Job job, Moment now) {
    long left = job.machine.leaseLeft(now);
    if (left < settings.silence() + settings.lease().margin() / 2) {
      return;
    }
    List<BundleEffect> out = new ArrayList<>();
    Positions taken = job.machine.take(1, 1, now, out);
    emit(job, out, now);
    if (taken.isEmpty()) {
      return;
    }
    job.move(JobPhase.Trigger.START);
    gang.serve(job, now);
    effects.add(
        new GangEffect.Start(
            gang.id, job.key, job.machine.attempt(), gang.size, gang.ranks(), left));
  }

  private void admit(Moment now) {
    if (draining || admitting || capacity.phase() != CapacityPhase.IN) {
      return;
    }
    if (admitReserved(now)) {
      return;
    }
    List<Share> wanted = new ArrayList<>();
    int room = capacity.counter().free() - capacity.counter().reserved();
    int most = settings.maxRanks() > 0 ? settings.maxRanks() : Integer.MAX_VALUE;
    int managers = settings.slots() - gangs.size();
    for (Job job : jobs) {
      if (!due(job, now) || hasReservation(job)) {
        continue;
      }
      if (job.ranks <= Math.min(room, most)
          && wanted.size() < Math.min(managers, LedgerChange.MOST_GANGS)) {
        room -= job.ranks;
        job.tooLargeSince = 0;
        wanted.add(share(job, now));
        job.move(JobPhase.Trigger.ASK);
      } else if (job.ranks > Math.min(room, most)) {
        if (job.phase == JobPhase.HELD) {
          job.refused(now);
        } else {
          job.tryAgainAt = now.mono() + LINGER_MILLIS;
        }
        capacity.look();
      }
    }
    if (!wanted.isEmpty()) {
      admitting = true;
      relay(capacity.admit(wanted), now);
    }
  }

  private static boolean due(Job job, Moment now) {
    return job.phase == JobPhase.HELD
        || (job.phase == JobPhase.WAITING && now.mono() >= job.tryAgainAt);
  }

  private boolean hasReservation(Job job) {
    Reservation reservation = capacity.reservation();
    return reservation != null && reservation.job().equals(job.id());
  }

  /** Once enough slots are kept for it, the job that has the reservation comes first. */
  private boolean admitReserved(Moment now) {
    Reservation reservation = capacity.reservation();
    if (reservation == null
        || reservation.admitted()
        || !reservation.worker().equals(settings.worker())
        || reservation.heldInAll() < reservation.ranks()) {
      return false;
    }
    Optional<Job> whose = job(job -> hasReservation(job) && due(job, now));
    whose.ifPresent(job -> {
      admitting = true;
      job.move(JobPhase.Trigger.ASK);
      relay(capacity.admitReserved(share(job, now)), now);
    });
    return whose.isPresent();
  }

  /** What was asked for in vain, or is found again, must not keep slots empty for nobody. */
  private void giveBackReservation(Moment now) {
    Reservation reservation = capacity.reservation();
    if (reservation == null || !reservation.worker().equals(settings.worker())) {
      return;
    }
    boolean needed =
        jobs.stream()
            .anyMatch(job -> job.id().equals(reservation.job()) && needs(reservation, job));
    if (!needed) {
      relay(capacity.unreserve(reservation.job()), now);
    }
  }

  private boolean needs(Reservation reservation, Job job) {
    Gang gang = job.gang;
    boolean forms =
        gang != null && gang.phase == GangPhase.FORMING && gang.reservedFor.equals(job.id());
    return !draining
        && ((job.unplaced() && !reservation.admitted())
            || job.phase == JobPhase.ADMITTING
            || forms);
  }

  private Share share(Job job, Moment now) {
    return Share.ofGang(
        names.get(),
        settings.worker(),
        job.ranks,
        job.id(),
        now.service() + settings.lease().lease());
  }

  // ---- those that wait

  /** Says what has waited for a while, and asks whether it was done already. */
  private void waiting(Moment now) {
    for (Job job : List.copyOf(jobs)) {
      if (job.phase != JobPhase.WAITING || now.mono() - job.refusedAt < TOLD_AFTER_MILLIS) {
        continue;
      }
      if (!job.claimReadAsked && job.unclaimed()) {
        job.claimReadAsked = true;
        effects.add(new GangEffect.ReadClaim(job.key, job.id()));
      }
      if (job.waitingPutAt == 0 || now.mono() - job.waitingPutAt >= settings.lease().heartbeat()) {
        job.waitingPutAt = Math.max(1, now.mono());
        capacity.look();
        relayCalls(
            capacity.await(
                new Waiting(
                    job.id(),
                    job.ranks,
                    job.since,
                    settings.worker(),
                    now.service() + settings.lease().lease())));
      }
      rejectIfTooLarge(job, now);
    }
  }

  private void waitsNoMore(Job job) {
    if (job.waitingPutAt != 0) {
      job.waitingPutAt = 0;
      relayCalls(capacity.awaitNoMore(job.id()));
    }
  }

  private void rejectIfTooLarge(Job job, Moment now) {
    RankLimit limit = rankLimit(now);
    if (limit == null || job.ranks <= limit.ranks()) {
      job.tooLargeSince = 0;
      return;
    }
    if (job.tooLargeSince == 0) {
      job.tooLargeSince = Math.max(1, now.mono());
    }
    // By what is read, not by the time in which nothing could be read.
    boolean longEnough =
        limit instanceof RankLimit.Option || judgedAt - job.tooLargeSince >= TOO_LARGE_MILLIS;
    if (longEnough && !draining) {
      job.rejection = new Verdict.TooLarge(limit);
      waitsNoMore(job);
      job.move(JobPhase.Trigger.REJECT);
      if (job.unclaimed()) {
        tell(job, new BundleEvent.Begin(0), now);
      }
    }
  }

  /** Null while nobody knows. */
  private @Nullable RankLimit rankLimit(Moment now) {
    if (settings.maxRanks() > 0) {
      return new RankLimit.Option(settings.maxRanks());
    }
    RankLimit.Fleet fleet = launchable;
    if (fleet == null) {
      return null;
    }
    boolean grows = fleet.livesAt(now.service()) && fleet.ranks() > liveSlots;
    return grows ? fleet : new RankLimit.LiveWorkers(liveSlots);
  }

  /** A job that can never run still needs its claim to say so. */
  private void sayRejected(Moment now) {
    for (Job job : List.copyOf(jobs)) {
      Verdict why = job.rejection;
      if (job.phase == JobPhase.REJECTING && why != null && job.ready()) {
        List<BundleEffect> out = new ArrayList<>();
        Positions taken = job.machine.take(1, 1, now, out);
        emit(job, out, now);
        if (!taken.isEmpty()) {
          job.move(JobPhase.Trigger.ENDED);
          effects.add(new GangEffect.Settle(job.key, why));
        }
      }
    }
  }

  private void viewed(LedgerView seen, Moment now) {
    if (now.eitherPast(viewBegun.plus(settings.lease().heartbeat()))) {
      // The worker was stopped meanwhile: who was live then may have renewed since.
      return;
    }
    liveSlots = seen.liveSlots(now.service());
    if (fleetSeen != null) {
      launchable = fleetSeen;
      judgedAt = now.mono();
    }
    for (Waiting item : seen.waiting()) {
      // Another worker may have waited with it before.
      job(j -> j.id().equals(item.job()) && j.since > 0)
          .ifPresent(job -> job.since = Math.min(job.since, item.since()));
    }
    if (seen.reservation() != null || draining) {
      return;
    }
    // Whoever holds it may read all of the ledger much later: who sees it first asks.
    seen.oldest(now.service(), liveSlots)
        .filter(oldest -> now.service() - oldest.since() >= settings.patience())
        .filter(oldest ->
            !oldest.worker().equals(settings.worker())
                || job(j -> j.id().equals(oldest.job()) && j.phase == JobPhase.WAITING).isPresent())
        .ifPresent(oldest -> relayCalls(capacity.reserve(oldest, now)));
  }

  // ---- the ledger

  private void relay(List<CapacityEffect> of, Moment now) {
    for (CapacityEffect effect : of) {
      switch (effect) {
        case CapacityEffect.Call call -> effects.add(new GangEffect.OfLedger(call));
        case CapacityEffect.Admitted admitted -> admitted(admitted.gangs(), now);
        case CapacityEffect.Refused refused -> {
          admitting = false;
          for (Share share : refused.gangs()) {
            job(j -> j.id().equals(share.job()) && j.phase == JobPhase.ADMITTING)
                .ifPresent(job -> job.refused(now));
          }
        }
        case CapacityEffect.Lost lost -> lost(lost.gang(), now);
        case CapacityEffect.Viewed viewed -> viewed(viewed.view(), now);
        case CapacityEffect.Reserved reserved ->
            effects.add(new GangEffect.Reserved(reserved.reservation()));
      }
    }
  }

  /** Where nothing but calls, and what is known of the reservation, can come of it. */
  private void relayCalls(List<CapacityEffect> of) {
    relay(of, new Moment(0, 0));
  }

  private void admitted(List<Share> shares, Moment now) {
    admitting = false;
    Reservation reservation = capacity.reservation();
    for (Share share : shares) {
      Gang gang = new Gang(share.id(), share.slots(), settings);
      gangs.put(gang.id, gang);
      effects.add(new GangEffect.Open(gang.id));
      if (reservation != null && reservation.job().equals(share.job())) {
        gang.reservedFor = share.job();
      }
      job(j -> j.id().equals(share.job()) && j.phase == JobPhase.ADMITTING)
          .ifPresent(job -> {
            gang.current = job;
            job.gang = gang;
            begin(job, now);
          });
    }
  }

  /** Others count on its slots: it serves what it serves, and no more. */
  private void lost(String id, Moment now) {
    Gang gang = gangs.get(id);
    if (gang != null && !gang.running()) {
      dissolve(gang, now);
    } else if (gang != null) {
      gang.last = true;
    }
  }

  // ---- receiving

  private void receive(Moment now) {
    sayRejected(now);
    if (draining || receiving || now.mono() < receiveAt || capacity.phase() != CapacityPhase.IN) {
      return;
    }
    int waiting = 0;
    int busy = 0;
    int settling = 0;
    for (Job job : jobs) {
      switch (job.phase) {
        case WAITING -> waiting++;
        case HELD, ADMITTING, PLACED, REJECTING, RUNNING, STOPPING, RETURNING -> busy++;
        case SETTLING -> settling++;
        case CLOSED -> {}
      }
    }
    if (settling >= settings.slots() + MOST_SETTLING) {
      roomSince = Long.MAX_VALUE;
      return;
    }
    int most = settings.slots() + Limits.BUNDLES_AHEAD;
    int room = Math.min(most - busy, MOST_WAITING - waiting);
    if (room <= 0) {
      roomSince = Long.MAX_VALUE;
      return;
    }
    roomSince = Math.min(roomSince, now.mono());
    // While there is enough in hand, one call for several jobs.
    if (2 * (busy + waiting) <= most || now.mono() - roomSince >= GATHER_MILLIS) {
      receiving = true;
      roomSince = Long.MAX_VALUE;
      effects.add(new GangEffect.Receive(Math.min(room, Limits.BATCH)));
    }
  }
}
