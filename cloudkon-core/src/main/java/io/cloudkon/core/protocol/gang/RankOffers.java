package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.SubWorkerEvent.Offer;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Offered ranks that wait for slots of this sub-worker, and gangs of which it takes no more ranks.
 */
final class RankOffers {
  /**
   * How long an offer waits for a slot that runs a task, in milliseconds: twice the longest time in
   * which such a slot was to be free. An estimate that was wrong must not keep it from others.
   */
  private static final long WAIT_MILLIS = 500;

  /** More gangs than can have offers that may still arrive. */
  private static final int MOST_LEFT = 1_000;

  /**
   * How long before a request counts as unanswered its last try may begin, in milliseconds: the
   * time that a call can take, twice.
   */
  private static final long LAST_TRY_MILLIS = 4_000;

  private final GangSettings settings;
  private final WorkerExit exit;
  private final Seats seats;
  private final KeptSlots slots;
  private final Consumer<SubWorkerEffect> out;
  private final List<Waiting> offers = new ArrayList<>();

  /**
   * An offer without a slot.
   *
   * @param until when it is put back; milliseconds of the monotonic clock
   */
  private record Waiting(Offer offer, long until) {}

  /**
   * Gangs whose manager may still rely on ranks that are no longer here. The manager detects this
   * by this worker's silence; if this worker rejoined, the manager would wait for ranks of which
   * this worker knows nothing.
   */
  private final RecentKeys left = new RecentKeys(MOST_LEFT);

  RankOffers(
      GangSettings settings,
      WorkerExit exit,
      Seats seats,
      KeptSlots slots,
      Consumer<SubWorkerEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.seats = seats;
    this.slots = slots;
    this.out = out;
  }

  int waiting() {
    return offers.size();
  }

  /** The job of each offer that waits. */
  List<String> jobs() {
    return offers.stream().map(waiting -> waiting.offer().job()).toList();
  }

  void came(List<Offer> come, Moment now) {
    List<String> voids = new ArrayList<>();
    List<String> back = new ArrayList<>();
    for (Offer offer : come) {
      if (now.service() >= offer.deadline()) {
        voids.add(offer.handle());
      } else if (exit.takesNothing()) {
        back.add(offer.handle());
      } else {
        offers.add(new Waiting(offer, now.mono() + WAIT_MILLIS));
      }
    }
    if (!voids.isEmpty()) {
      out.accept(new SubWorkerEffect.DeleteOffers(voids));
    }
    if (!back.isEmpty()) {
      out.accept(new SubWorkerEffect.PutBackOffers(back));
    }
    assign(now);
    slots.askAgain(!offers.isEmpty());
  }

  /** Assigns free slots to offers, and requests the ranks from their managers. */
  void assign(Moment now) {
    Map<String, List<Offer>> asked = new LinkedHashMap<>();
    for (Waiting waiting : List.copyOf(offers)) {
      Offer offer = waiting.offer();
      Seat seat = seats.find(offer.gang());
      if (left.contains(offer.gang()) || (seat != null && !seat.canTake(offer.rank()))) {
        offers.remove(waiting);
        out.accept(new SubWorkerEffect.DeleteOffers(List.of(offer.handle())));
      } else if (slots.hasFor(offer.job())) {
        offers.remove(waiting);
        seats.of(offer.gang(), offer.job()).ask(offer.rank(), offer.handle(), now);
        asked.computeIfAbsent(offer.gang(), gang -> new ArrayList<>()).add(offer);
      }
    }
    asked.forEach((gang, taken) -> out.accept(register(gang, taken, now)));
  }

  private SubWorkerEffect register(String gang, List<Offer> taken, Moment now) {
    long until = now.service() + settings.lease().lease() - LAST_TRY_MILLIS;
    for (Offer offer : taken) {
      until = Math.min(until, offer.deadline());
    }
    return new SubWorkerEffect.Register(gang, taken.stream().map(Offer::rank).toList(), until);
  }

  /** Puts all offers back, because there will be no slots for them. */
  void putBack() {
    putBack(List.copyOf(offers));
  }

  /** Puts back all but this number of offers, for which there will be slots soon. */
  void putBackAllBut(int soon) {
    putBack(List.copyOf(offers.subList(Math.min(soon, offers.size()), offers.size())));
  }

  /** Puts back the offers that have waited for too long. */
  void putBackOverdue(Moment now) {
    putBack(offers.stream().filter(waiting -> now.mono() >= waiting.until()).toList());
  }

  private void putBack(List<Waiting> back) {
    if (!back.isEmpty()) {
      offers.removeAll(back);
      out.accept(
          new SubWorkerEffect.PutBackOffers(
              back.stream().map(waiting -> waiting.offer().handle()).toList()));
    }
  }

  /** Takes no more ranks of this gang. */
  void takeNoneOf(String gang) {
    boolean unused = left.add(gang);
  }
}
