package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.time.Moment;
import java.util.function.Predicate;

/**
 * Obtains the cluster's reservation for the oldest job that is past its patience, and releases it
 * when no job here needs it.
 */
final class ReservationUpkeep {
  private final GangSettings settings;
  private final WorkerExit exit;
  private final ManagedGangs gangs;
  private final JobsInHand jobs;
  private final SlotLedger ledger;

  ReservationUpkeep(
      GangSettings settings,
      WorkerExit exit,
      ManagedGangs gangs,
      JobsInHand jobs,
      SlotLedger ledger) {
    this.settings = settings;
    this.exit = exit;
    this.gangs = gangs;
    this.jobs = jobs;
    this.ledger = ledger;
  }

  /** Releases a reservation that no job here needs any more, because it keeps slots empty. */
  void giveBack() {
    Reservation reservation = ledger.ownReservation();
    if (reservation != null) {
      giveBackUnless(job -> needs(reservation, job), reservation);
    }
  }

  private void giveBackUnless(Predicate<Job> needs, Reservation reservation) {
    if (jobs.all().stream().noneMatch(job -> ledger.isReservedFor(job) && needs.test(job))) {
      ledger.unreserve(reservation.job());
    }
  }

  private boolean needs(Reservation reservation, Job job) {
    boolean forms =
        gangs.of(job).filter(gang -> gang.fills() && gang.reservedFor.equals(job.id())).isPresent();
    return !exit.draining()
        && ((job.unplaced() && !reservation.admitted()) || job.is(JobPhase.ADMITTING) || forms);
  }

  /**
   * Handles a reading of the whole ledger: the first worker that finds a job past its patience
   * requests the reservation.
   */
  void viewed(LedgerView seen, int liveSlots, Moment now) {
    giveBackIfOutgrown(liveSlots);
    if (seen.reservation() != null || exit.draining()) {
      return;
    }
    // The job's manager may read the whole ledger much later.
    seen.oldest(now.service(), liveSlots)
        .filter(oldest -> now.service() - oldest.since() >= settings.patience())
        .filter(this::stillWaits)
        .ifPresent(oldest -> ledger.reserve(oldest, now));
  }

  /** Releases the reservation if workers have left, so that the kept slots can never suffice. */
  private void giveBackIfOutgrown(int liveSlots) {
    Reservation reservation = ledger.ownReservation();
    if (reservation != null && !reservation.admitted() && reservation.ranks() > liveSlots) {
      giveBackUnless(job -> job.is(JobPhase.ADMITTING), reservation);
    }
  }

  /** Whether the job still waits; only its own worker knows this with certainty. */
  private boolean stillWaits(Waiting item) {
    return !item.worker().equals(settings.worker())
        || jobs.byId(item.job(), JobPhase.WAITING).isPresent();
  }
}
