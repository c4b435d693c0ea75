package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a sub-worker keeps for ranks: those of its ranks, those for offers, and those that
 * stay empty for the job with the reservation, whose number is reported to the ledger.
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

  /** The number of slots that the ledger counts as kept here for the reservation's job. */
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

  /** The number of kept slots that no rank uses. */
  int inHand() {
    return Math.max(0, kept - seats.slots());
  }

  /** The number of unused kept slots that ranks of any job may use. */
  int toOffer() {
    return Math.max(0, inHand() - promised());
  }

  /** The number of these further slots that are not to be kept for the reservation's job. */
  int unpromised(int soon) {
    return Math.max(0, soon - Math.max(0, keepable() - inHand()));
  }

  /**
   * Whether there is a slot for this job; slots that are kept for one job are not used for others.
   */
  boolean hasFor(String job) {
    return inHand() > (isReserved(job) ? 0 : promised());
  }

  private boolean isReserved(String job) {
    Reservation current = reservation;
    return current != null && current.job().equals(job);
  }

  /** Records how many slots the worker keeps; false if this answers an older request. */
  boolean answered(SubWorkerEvent.SlotsKept slots) {
    boolean latest = slots.question() == question;
    if (latest) {
      kept = slots.kept();
    }
    return latest;
  }

  /**
   * Requests another answer from the worker, even if the number of wanted slots has not changed.
   */
  void askAgain(boolean so) {
    askAgain = so;
  }

  /** Records the current reservation. */
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

  /** Records the ledger's answer to a report. */
  void tellAnswered(SubWorkerEvent.KeepAnswered answer, Moment now) {
    telling = false;
    Reservation current = reservation;
    if (!answer.accepted()) {
      // Others keep some as well, or the call failed temporarily: newer information will follow.
      tellAt = now.mono() + TELL_AGAIN_MILLIS;
    } else if (current != null && current.job().equals(answer.job())) {
      told = answer.slots();
    }
  }

  /**
   * Requests slots from the worker, and reports to the ledger how many are kept.
   *
   * @param offered the job of each waiting offer
   */
  void decide(List<String> offered, Moment now) {
    int theirs = (int) offered.stream().filter(this::isReserved).count();
    int others = offered.size() - theirs;
    int want = seats.slots() + Math.max(theirs, keepable()) + others;
    if (want != wanted || askAgain) {
      askAgain = false;
      wanted = want;
      // Slots that are given up may be used for something else at once.
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

  /**
   * The number of slots to keep for the reservation's job in addition to those of its ranks here.
   */
  private int keepable() {
    Reservation current = reservation;
    if (current == null || exit.takesNothing()) {
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
