package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.gang.SeatPhase.Trigger;
import io.cloudkon.core.protocol.gang.SubWorkerEvent.Offer;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One worker as the sub-worker of gangs (section 6 of the protocol): takes offered ranks that it
 * has slots for, keeps slots empty for the reservation's job, and ends its ranks once their manager
 * has been silent for half a lease. Pure; used by one thread at a time.
 */
public final class SubWorkerMachine {
  private static final long BEAT_AGAIN_MILLIS = 250;
  private static final long KEEP_AGAIN_MILLIS = 500;

  /** More than can have offers that are still to come. */
  private static final int MOST_LEFT = 1_000;

  private final GangSettings settings;
  private final Map<String, Seat> seats = new LinkedHashMap<>();
  private final List<Offer> offers = new ArrayList<>();

  /**
   * Gangs whose manager may count on ranks here that are not here any more. It finds out by this
   * worker's silence: whoever came back would be waited for, and would know nothing of what ran.
   */
  private final Set<String> left = new LinkedHashSet<>();

  private final List<SubWorkerEffect> effects = new ArrayList<>();
  private @Nullable Reservation reservation;
  private int wanted;
  private long question;
  private boolean askSlots;
  private int kept;

  /** How many slots the ledger counts as kept here for the reservation's job. */
  private int told;

  private boolean telling;
  private long tellAt = Long.MIN_VALUE / 2;
  private boolean draining;
  private boolean killing;

  /** A worker that has no rank. */
  public SubWorkerMachine(GangSettings settings) {
    this.settings = settings;
  }

  /** Event in, effects out. */
  public List<SubWorkerEffect> on(SubWorkerEvent event, Moment now) {
    switch (event) {
      case SubWorkerEvent.Offered offered -> offered(offered.offers(), now);
      case SubWorkerEvent.SlotsKept slots -> {
        if (slots.question() == question) {
          kept = slots.kept();
          assign(true);
        }
      }
      case SubWorkerEvent.Welcomed welcomed -> {
        Seat seat = seats.get(welcomed.gang());
        if (seat != null) {
          welcomed(seat, welcomed, now);
          startEarly(seat, now);
        }
      }
      case SubWorkerEvent.RegisterFailed failed -> {
        Seat seat = seats.get(failed.gang());
        if (seat != null) {
          left(seat.gang);
          answered(seat, failed.asked(), List.of());
          startEarly(seat, now);
        }
      }
      case SubWorkerEvent.Answered answered -> beatAnswered(answered);
      case SubWorkerEvent.BeatFailed failed -> {
        Seat seat = seats.get(failed.gang());
        if (seat != null) {
          seat.beating = false;
          seat.saidLeaving = false;
          seat.beatAt = now.mono() + Math.min(BEAT_AGAIN_MILLIS, settings.beat());
        }
      }
      case SubWorkerEvent.StartOrdered order -> start(order, now);
      case SubWorkerEvent.KillOrdered order -> {
        Seat seat = seats.get(order.gang());
        if (seat != null && seat.runs.equals(order.job()) && seat.attempt == order.attempt()) {
          stop(seat);
        }
      }
      case SubWorkerEvent.DissolveOrdered order -> {
        Seat seat = seats.get(order.gang());
        if (seat != null) {
          leave(seat);
        }
      }
      case SubWorkerEvent.RankEnded ended -> rankEnded(ended);
      case SubWorkerEvent.Reserved reserved -> reserved(reserved.reservation());
      case SubWorkerEvent.KeepAnswered answer -> {
        telling = false;
        Reservation current = reservation;
        if (!answer.accepted()) {
          // Others keep some as well, or it failed in passing: what is known will be newer then.
          tellAt = now.mono() + KEEP_AGAIN_MILLIS;
        } else if (current != null && current.job().equals(answer.job())) {
          told = answer.slots();
        }
      }
      case SubWorkerEvent.Drain drain -> drain();
      case SubWorkerEvent.Kill kill -> {
        killing = true;
        drain();
        // Their managers are told how these ranks ended, and let this worker go.
        seats.values().forEach(this::stop);
      }
      case SubWorkerEvent.Tick tick -> {}
    }
    tend(now);
    keep(now);
    List<SubWorkerEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** Slots that ranks have, or that are kept for them. */
  public int slotsKept() {
    return kept;
  }

  /** Slots in hand that no rank has. */
  public int slotsInHand() {
    return Math.max(0, kept - taken());
  }

  /**
   * Slots in hand that anybody's ranks may have: with how many the queue of ranks may be asked.
   * Those that are kept for a job are not offered to others again and again.
   */
  public int slotsToOffer() {
    return Math.max(0, slotsInHand() - promised());
  }

  /** Whether no rank is here. */
  public boolean idle() {
    return seats.isEmpty() && offers.isEmpty();
  }

  /** Ranks that are here. */
  public int ranks() {
    return seats.values().stream().mapToInt(seat -> seat.ranks.size()).sum();
  }

  /** Whether ranks of this gang are here. */
  public boolean has(String gang) {
    return seats.containsKey(gang);
  }

  @Override
  public String toString() {
    return "%s, %d slots kept".formatted(seats.values(), kept);
  }

  // ---- offers

  private void offered(List<Offer> come, Moment now) {
    List<String> voids = new ArrayList<>();
    List<String> back = new ArrayList<>();
    for (Offer offer : come) {
      if (now.service() >= offer.deadline()) {
        voids.add(offer.handle());
      } else if (draining) {
        back.add(offer.handle());
      } else {
        offers.add(offer);
      }
    }
    if (!voids.isEmpty()) {
      effects.add(new SubWorkerEffect.DeleteOffers(voids));
    }
    if (!back.isEmpty()) {
      effects.add(new SubWorkerEffect.PutBackOffers(back));
    }
    assign(false);
    askSlots = !offers.isEmpty();
  }

  /**
   * Gives slots in hand to offers.
   *
   * @param allThereIs whether there will be no more for now: the other offers go back
   */
  private void assign(boolean allThereIs) {
    Map<String, List<Integer>> asked = new LinkedHashMap<>();
    for (Offer offer : List.copyOf(offers)) {
      Seat seat = seats.get(offer.gang());
      boolean twice =
          seat != null
              && (seat.ranks.contains(offer.rank()) || seat.asking.containsKey(offer.rank()));
      if (twice || (seat != null && seat.leaving) || left.contains(offer.gang())) {
        offers.remove(offer);
        effects.add(new SubWorkerEffect.DeleteOffers(List.of(offer.handle())));
      } else if (slotFor(offer)) {
        offers.remove(offer);
        Seat taking = seats.computeIfAbsent(offer.gang(), gang -> new Seat(gang, offer.job()));
        taking.asking.put(offer.rank(), offer.handle());
        asked.computeIfAbsent(offer.gang(), gang -> new ArrayList<>()).add(offer.rank());
      }
    }
    asked.forEach((gang, ranks) -> effects.add(new SubWorkerEffect.Register(gang, ranks)));
    if (allThereIs && !offers.isEmpty()) {
      effects.add(new SubWorkerEffect.PutBackOffers(offers.stream().map(Offer::handle).toList()));
      offers.clear();
    }
  }

  /** Slots that are kept for a job are for nobody else's ranks. */
  private boolean slotFor(Offer offer) {
    Reservation current = reservation;
    boolean theirs = current != null && current.job().equals(offer.job());
    return slotsInHand() > (theirs ? 0 : promised());
  }

  /** Slots that are kept for the job that has the reservation, until it is admitted. */
  private int promised() {
    Reservation current = reservation;
    return current == null || current.admitted() ? 0 : Math.min(keepable(), told);
  }

  private int taken() {
    return seats.values().stream().mapToInt(Seat::slots).sum();
  }

  private void welcomed(Seat seat, SubWorkerEvent.Welcomed welcomed, Moment now) {
    if (!welcomed.accepted().isEmpty()) {
      if (seat.phase == SeatPhase.REGISTERING) {
        seat.move(Trigger.WELCOME);
      }
      seat.alive(welcomed.begun(), welcomed.leaseMillis(), settings);
      long next = welcomed.begun().mono() + settings.beat();
      seat.beatAt = draining ? now.mono() : Math.max(seat.beatAt, next);
    }
    answered(seat, welcomed.asked(), welcomed.accepted());
  }

  private void answered(Seat seat, List<Integer> asked, List<Integer> accepted) {
    List<String> handles = new ArrayList<>();
    for (int rank : asked) {
      String handle = seat.asking.remove(rank);
      if (handle == null) {
        // An answer from before the gang was forgotten here: no slot is kept for it any more.
        continue;
      }
      handles.add(handle);
      if (accepted.contains(rank)) {
        seat.ranks.add(rank);
      }
    }
    if (!handles.isEmpty()) {
      effects.add(new SubWorkerEffect.DeleteOffers(handles));
    }
    if (seat.phase == SeatPhase.REGISTERING && seat.asking.isEmpty()) {
      seat.move(Trigger.REFUSED);
      forget(seat);
    }
  }

  // ---- ranks

  private void start(SubWorkerEvent.StartOrdered order, Moment now) {
    Seat seat = seats.get(order.gang());
    if (seat != null && seat.awaits(order)) {
      seat.early = order;
      return;
    }
    // A copy that comes late: they run, or have ended. A gang serves an attempt once.
    boolean again = seat != null && seat.hasServed(order);
    boolean starts =
        seat != null
            && !again
            && seat.phase == SeatPhase.SEATED
            && !seat.leaving
            && !killing
            && !seat.over(now)
            && seat.ranks.containsAll(order.ranks());
    if (seat != null && starts) {
      seat.move(Trigger.START);
      seat.serves(order);
      seat.runs = order.job();
      seat.attempt = order.attempt();
      seat.running.addAll(order.ranks());
      seat.startedAt = now.mono();
    }
    effects.add(
        new SubWorkerEffect.StartAnswer(
            order.call(), order.gang(), order.job(), order.attempt(), starts || again));
  }

  /** Its answer has come meanwhile, or never will. */
  private void startEarly(Seat seat, Moment now) {
    SubWorkerEvent.StartOrdered early = seat.early;
    if (early != null && !(seats.containsValue(seat) && seat.awaits(early))) {
      seat.early = null;
      start(early, now);
    }
  }

  private void rankEnded(SubWorkerEvent.RankEnded event) {
    Seat seat = seats.get(event.gang());
    GangEvent.Ended end = event.end();
    if (seat == null
        || !seat.runs.equals(end.job())
        || seat.attempt != end.attempt()
        || !seat.running.remove(end.rank())) {
      return;
    }
    seat.untold.add(end);
    if (seat.running.isEmpty()) {
      seat.move(Trigger.ENDED);
      if (seat.leaving) {
        seat.move(Trigger.LEAVE);
        forget(seat);
        return;
      }
    }
    if (seat.running.isEmpty() || end.how() != GangEvent.How.WELL) {
      seat.beatAt = Long.MIN_VALUE / 2;
    }
  }

  private void stop(Seat seat) {
    if (seat.phase == SeatPhase.RUNNING) {
      seat.move(Trigger.STOP);
      effects.add(new SubWorkerEffect.KillRanks(seat.gang, seat.runs, seat.attempt));
    }
  }

  private void left(String gang) {
    left.add(gang);
    if (left.size() > MOST_LEFT) {
      left.remove(left.iterator().next());
    }
  }

  private void leave(Seat seat) {
    seat.leaving = true;
    left(seat.gang);
    switch (seat.phase) {
      case REGISTERING, SEATED -> {
        seat.move(Trigger.LEAVE);
        if (!seat.asking.isEmpty()) {
          effects.add(new SubWorkerEffect.DeleteOffers(List.copyOf(seat.asking.values())));
        }
        forget(seat);
      }
      case RUNNING -> stop(seat);
      case STOPPING, GONE -> {}
    }
  }

  private void forget(Seat seat) {
    seats.remove(seat.gang);
    SubWorkerEvent.StartOrdered early = seat.early;
    if (early != null) {
      seat.early = null;
      effects.add(
          new SubWorkerEffect.StartAnswer(
              early.call(), early.gang(), early.job(), early.attempt(), false));
    }
    effects.add(new SubWorkerEffect.Forget(seat.gang));
  }

  private void beatAnswered(SubWorkerEvent.Answered answered) {
    Seat seat = seats.get(answered.gang());
    if (seat == null) {
      return;
    }
    seat.beating = false;
    // From when it was asked, as its life is counted: the answer may have taken long.
    seat.beatAt = answered.begun().mono() + settings.beat();
    if (!answered.known()) {
      leave(seat);
      return;
    }
    seat.untold.subList(0, Math.min(answered.told(), seat.untold.size())).clear();
    if (!seat.untold.isEmpty() || (draining && !seat.saidLeaving)) {
      seat.beatAt = Long.MIN_VALUE / 2;
    }
    seat.alive(answered.begun(), answered.leaseMillis(), settings);
    if (answered.leaseMillis() == 0 && seat.startedAt <= answered.begun().mono()) {
      stop(seat);
    }
  }

  /** Its managers are told, and let it go as soon as what it has there runs no more. */
  private void drain() {
    draining = true;
    if (!offers.isEmpty()) {
      effects.add(new SubWorkerEffect.PutBackOffers(offers.stream().map(Offer::handle).toList()));
      offers.clear();
    }
    seats.values().forEach(seat -> seat.beatAt = Long.MIN_VALUE / 2);
  }

  private void tend(Moment now) {
    for (Seat seat : List.copyOf(seats.values())) {
      if (seat.over(now)) {
        leave(seat);
      } else if (seat.phase != SeatPhase.REGISTERING
          && !seat.beating
          && now.mono() >= seat.beatAt) {
        seat.beating = true;
        seat.saidLeaving = draining;
        effects.add(new SubWorkerEffect.Beat(seat.gang, List.copyOf(seat.untold), draining));
      }
    }
  }

  // ---- slots

  private void reserved(@Nullable Reservation found) {
    Reservation before = reservation;
    reservation = found;
    boolean sameJob = found != null && before != null && found.job().equals(before.job());
    if (found == null) {
      told = 0;
    } else if (!sameJob || !telling) {
      told = found.heldBy(settings.worker());
    }
  }

  /** How many slots are to be kept for the reservation's job beyond those its ranks have here. */
  private int keepable() {
    Reservation current = reservation;
    if (current == null || draining) {
      return 0;
    }
    int mine =
        seats.values().stream()
            .filter(seat -> seat.job.equals(current.job()))
            .mapToInt(Seat::slots)
            .sum();
    if (current.admitted()) {
      return Math.max(0, told - mine);
    }
    int others = current.heldInAll() - current.heldBy(settings.worker());
    return Math.max(0, Math.min(settings.slots() - taken(), current.ranks() - others - mine));
  }

  /** Asks the worker for slots, and tells the ledger how many are kept. */
  private void keep(Moment now) {
    int want = taken() + Math.max(offers.size(), keepable());
    if (want != wanted || askSlots) {
      askSlots = false;
      wanted = want;
      // What is given up may be used for something else at once.
      kept = Math.min(kept, want);
      effects.add(new SubWorkerEffect.WantSlots(++question, want));
    }
    Reservation current = reservation;
    if (current == null || current.admitted() || telling || now.mono() < tellAt) {
      return;
    }
    int holds = Math.min(slotsInHand(), keepable());
    if (holds != told) {
      telling = true;
      effects.add(new SubWorkerEffect.Keep(current.job(), told, holds));
    }
  }
}
