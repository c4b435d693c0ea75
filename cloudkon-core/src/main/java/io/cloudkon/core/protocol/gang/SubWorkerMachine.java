package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * One worker as the sub-worker of gangs (section 6 of the protocol): takes offered ranks that it
 * has slots for, keeps slots empty for the reservation's job, and ends its ranks once their manager
 * has been silent for half a lease. Pure; used by one thread at a time.
 */
public final class SubWorkerMachine {
  private final List<SubWorkerEffect> effects = new ArrayList<>();
  private final WorkerExit exit = new WorkerExit();
  private final Seats seats = new Seats();
  private final KeptSlots slots;
  private final RankOffers offers;
  private final RankLifecycle ranks;
  private final ManagerBeats beats;

  /** A worker that has no rank. */
  public SubWorkerMachine(GangSettings settings) {
    this.slots = new KeptSlots(settings, exit, seats, effects::add);
    this.offers = new RankOffers(exit, seats, slots, effects::add);
    this.ranks = new RankLifecycle(settings, exit, seats, offers, effects::add);
    this.beats = new ManagerBeats(settings, exit, seats, ranks, effects::add);
  }

  /** Event in, effects out. */
  public List<SubWorkerEffect> on(SubWorkerEvent event, Moment now) {
    happened(event, now);
    ranks.giveUpQuestions(now);
    beats.decide(now);
    slots.decide(offers.waiting(), now);
    List<SubWorkerEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  private void happened(SubWorkerEvent event, Moment now) {
    switch (event) {
      case SubWorkerEvent.Offered offered -> offers.came(offered.offers(), now);
      case SubWorkerEvent.SlotsKept kept -> {
        if (slots.answered(kept)) {
          offers.assign(now);
          // There will be no more for now.
          offers.putBack();
        }
      }
      case SubWorkerEvent.Welcomed welcomed -> ranks.welcomed(welcomed, now);
      case SubWorkerEvent.RegisterFailed failed -> ranks.registerFailed(failed, now);
      case SubWorkerEvent.Answered answered -> beats.answered(answered);
      case SubWorkerEvent.BeatFailed failed -> beats.failed(failed.gang(), now);
      case SubWorkerEvent.StartOrdered order -> ranks.startOrdered(order, now);
      case SubWorkerEvent.KillOrdered order -> ranks.killOrdered(order);
      case SubWorkerEvent.DissolveOrdered order -> {
        Seat seat = seats.find(order.gang());
        if (seat != null) {
          ranks.leave(seat);
        }
      }
      case SubWorkerEvent.RankEnded ended -> ranks.ended(ended);
      case SubWorkerEvent.Reserved reserved -> slots.reserved(reserved.reservation());
      case SubWorkerEvent.KeepAnswered answer -> slots.tellAnswered(answer, now);
      case SubWorkerEvent.Drain drain -> {
        exit.drain();
        leave();
      }
      case SubWorkerEvent.Kill kill -> {
        exit.kill();
        leave();
        // Their managers are told how these ranks ended, and let this worker go.
        seats.copy().forEach(ranks::stop);
      }
      case SubWorkerEvent.Tick tick -> {}
    }
  }

  /** Its managers are told, and let it go as soon as what it has there runs no more. */
  private void leave() {
    offers.putBack();
    beats.tellAll();
  }

  /** Slots that ranks have, or that are kept for them. */
  public int slotsKept() {
    return slots.kept();
  }

  /** Slots in hand that no rank has. */
  public int slotsInHand() {
    return slots.inHand();
  }

  /**
   * Slots in hand that anybody's ranks may have: with how many the queue of ranks may be asked.
   * Those that are kept for a job are not offered to others again and again.
   */
  public int slotsToOffer() {
    return slots.toOffer();
  }

  /** Whether no rank is here. */
  public boolean idle() {
    return seats.isEmpty() && offers.waiting() == 0;
  }

  /** Ranks that are here. */
  public int ranks() {
    return seats.ranks();
  }

  /** Whether ranks of this gang are here. */
  public boolean has(String gang) {
    return seats.find(gang) != null;
  }

  @Override
  public String toString() {
    return "%s, %d slots kept".formatted(seats, slots.kept());
  }
}
