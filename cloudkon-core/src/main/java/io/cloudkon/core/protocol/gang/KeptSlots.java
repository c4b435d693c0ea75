package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a sub-worker's worker keeps for ranks: those that ranks have, those for offers,
 * and those that stay empty for the job that has the reservation, of which the ledger is told.
 */
final class KeptSlots {
  private static final long TELL_AGAIN_MILLIS = 500;

  private final GangSettings settings;
  private final WorkerExit exit;
  private final Seats seats;
  private final Consumer<SubWorkerEffect> out;
  private @Nullable Reservation reservation;
  private int wanted;
  private long question;
  private boolean askAgain;
  private int kept;

  /** How many slots the ledger counts as kept here for the reservation's job. */
  private int told;

  private boolean telling;
  private long tellAt = Long.MIN_VALUE / 2;

  KeptSlots(GangSettings settings, WorkerExit exit, Seats seats, Consumer<SubWorkerEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.seats = seats;
    this.out = out;
  }

  int kept() {
    return kept;
  }

  /** Slots in hand that no rank has. */
  int inHand() {
    return Math.max(0, kept - seats.slots());
  }

  /** Slots in hand that anybody's ranks may have. */
  int toOffer() {
    return Math.max(0, inHand() - promised());
  }

  /** Slots that are kept for a job are for nobody else's ranks. */
  boolean hasFor(String job) {
    Reservation current = reservation;
    boolean theirs = current != null && current.job().equals(job);
    return inHand() > (theirs ? 0 : promised());
  }

  /** The worker keeps so many; false if that answers an older question. */
  boolean answered(SubWorkerEvent.SlotsKept slots) {
    boolean latest = slots.question() == question;
    if (latest) {
      kept = slots.kept();
    }
    return latest;
  }

  /** The worker is to say how many it keeps, even if as many are wanted as before. */
  void askAgain(boolean so) {
    askAgain = so;
  }

  /** What is known of the reservation. */
  void reserved(@Nullable Reservation found) {
    Reservation before = reservation;
    reservation = found;
    boolean sameJob = found != null && before != null && found.job().equals(before.job());
    if (found == null) {
      told = 0;
    } else if (!sameJob || !telling) {
      told = found.heldBy(settings.worker());
    }
  }

  /** The ledger answered what it was told. */
  void tellAnswered(SubWorkerEvent.KeepAnswered answer, Moment now) {
    telling = false;
    Reservation current = reservation;
    if (!answer.accepted()) {
      // Others keep some as well, or it failed in passing: what is known will be newer then.
      tellAt = now.mono() + TELL_AGAIN_MILLIS;
    } else if (current != null && current.job().equals(answer.job())) {
      told = answer.slots();
    }
  }

  /** Asks the worker for slots, and tells the ledger how many are kept. */
  void decide(int offers, Moment now) {
    int want = seats.slots() + Math.max(offers, keepable());
    if (want != wanted || askAgain) {
      askAgain = false;
      wanted = want;
      // What is given up may be used for something else at once.
      kept = Math.min(kept, want);
      out.accept(new SubWorkerEffect.WantSlots(++question, want));
    }
    Reservation current = reservation;
    if (current == null || current.admitted() || telling || now.mono() < tellAt) {
      return;
    }
    int holds = Math.min(inHand(), keepable());
    if (holds != told) {
      telling = true;
      out.accept(new SubWorkerEffect.Keep(current.job(), told, holds));
    }
  }

  /** Slots that are kept for the job that has the reservation, until it is admitted. */
  private int promised() {
    Reservation current = reservation;
    return current == null || current.admitted() ? 0 : Math.min(keepable(), told);
  }

  /** How many slots are to be kept for the reservation's job beyond those its ranks have here. */
  private int keepable() {
    Reservation current = reservation;
    if (current == null || exit.draining()) {
      return 0;
    }
    int mine = seats.slotsFor(current.job());
    if (current.admitted()) {
      return Math.max(0, told - mine);
    }
    int others = current.heldInAll() - current.heldBy(settings.worker());
    return Math.max(0, Math.min(settings.slots() - seats.slots(), current.ranks() - others - mine));
  }
}
