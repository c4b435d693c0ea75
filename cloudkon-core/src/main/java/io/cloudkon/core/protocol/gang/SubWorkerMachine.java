package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * One worker as the sub-worker of gangs (section 6 of the protocol): takes offered ranks for which
 * it has slots, keeps slots empty for the reservation's job, and stops its ranks once their manager
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

  /** A worker without ranks. */
  public SubWorkerMachine(GangSettings settings) {
    this.slots = new KeptSlots(settings, exit, seats, effects::add);
    this.offers = new RankOffers(settings, exit, seats, slots, effects::add);
    this.ranks = new RankLifecycle(settings, exit, seats, offers, effects::add);
    this.beats = new ManagerBeats(settings, exit, seats, ranks, effects::add);
  }

  /** Processes an event and returns the effects. */
  public List<SubWorkerEffect> on(SubWorkerEvent event, Moment now) {
    happened(event, now);
    ranks.giveUpQuestions(now);
    offers.putBackOverdue(now);
    beats.decide(now);
    slots.decide(offers.jobs(), now);
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
          offers.putBackAllBut(slots.unpromised(kept.soon()));
        }
      }
      case SubWorkerEvent.Welcomed welcomed -> ranks.welcomed(welcomed, now);
      case SubWorkerEvent.RegisterFailed failed -> ranks.registerFailed(failed, now);
      case SubWorkerEvent.Unreached unreached -> ranks.unreached(unreached, now);
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
        // Their managers are told how these ranks ended, and release this worker.
        seats.copy().forEach(ranks::stop);
      }
      case SubWorkerEvent.FellSick fell -> {
        exit.sick(true);
        leave();
      }
      case SubWorkerEvent.Recovered recovered -> exit.sick(false);
      case SubWorkerEvent.Tick tick -> {}
    }
  }

  /**
   * Tells its managers that it leaves their gangs; they release it as soon as its ranks there have
   * ended.
   */
  private void leave() {
    offers.putBack();
    beats.tellAll();
  }

  /** The number of slots that ranks use or that are kept for them. */
  public int slotsKept() {
    return slots.kept();
  }

  /**
   * The number of unused kept slots that ranks of any job may use, which is how many offers may be
   * received. Slots that are kept for one job are not used for others.
   */
  public int slotsToOffer() {
    return slots.toOffer();
  }

  /**
   * The number of offers that may be received for slots that run tasks now.
   *
   * @param soon the number of slots that will probably be free in a moment
   */
  public int offersThatMayWait(int soon) {
    return Math.max(0, slots.unpromised(soon) - offers.waiting());
  }

  /** Whether it has no ranks. */
  public boolean idle() {
    return seats.isEmpty() && offers.waiting() == 0;
  }

  /** The number of its ranks. */
  public int ranks() {
    return seats.ranks();
  }

  /** Whether it has ranks of this gang. */
  public boolean has(String gang) {
    return seats.find(gang) != null;
  }

  @Override
  public String toString() {
    return "%s, %d slots kept".formatted(seats, slots.kept());
  }
}
