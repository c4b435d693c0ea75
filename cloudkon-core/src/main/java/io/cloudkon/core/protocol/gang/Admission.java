package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Requests the slots of new gangs from the ledger, one request at a time, and opens the gangs that
 * it grants.
 */
final class Admission {
  /** When a job that found too few free slots looks again, in milliseconds. */
  private static final long NO_ROOM_MILLIS = 500;

  private final GangSettings settings;
  private final Supplier<String> names;
  private final ManagedGangs gangs;
  private final JobsInHand jobs;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;
  private boolean asked;

  Admission(
      GangSettings settings,
      Supplier<String> names,
      ManagedGangs gangs,
      JobsInHand jobs,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.settings = settings;
    this.names = names;
    this.gangs = gangs;
    this.jobs = jobs;
    this.ledger = ledger;
    this.out = out;
  }

  /** Requests slots for the jobs for which there seems to be room. */
  void decide(Moment now) {
    if (asked || !ledger.in() || admitReserved(now)) {
      return;
    }
    List<Share> wanted = new ArrayList<>();
    int room = ledger.room();
    int most = settings.maxRanks() > 0 ? settings.maxRanks() : Integer.MAX_VALUE;
    int managers = Math.min(settings.slots() - gangs.size(), LedgerChange.MOST_GANGS);
    for (Job job : jobs.all()) {
      if (!job.mayTry(now) || ledger.isReservedFor(job)) {
        continue;
      }
      if (job.ranks > Math.min(room, most)) {
        noRoom(job, now);
      } else if (wanted.size() < managers) {
        room -= job.ranks;
        job.fits();
        wanted.add(share(job, now));
        job.move(Trigger.ASK);
      }
    }
    if (!wanted.isEmpty()) {
      asked = true;
      ledger.admit(wanted);
    }
  }

  private void noRoom(Job job, Moment now) {
    if (job.is(JobPhase.HELD)) {
      job.refused(now);
    } else {
      job.tryAgainAt(now.mono() + NO_ROOM_MILLIS);
    }
    ledger.look();
  }

  /** Once enough slots are kept for it, the job with the reservation is admitted first. */
  private boolean admitReserved(Moment now) {
    Reservation reservation = ledger.ownReservation();
    if (reservation == null
        || reservation.admitted()
        || reservation.heldInAll() < reservation.ranks()) {
      return false;
    }
    Optional<Job> whose =
        jobs.all().stream().filter(job -> ledger.isReservedFor(job) && job.due(now)).findFirst();
    whose.ifPresent(job -> {
      asked = true;
      job.move(Trigger.ASK);
      ledger.admitReserved(share(job, now));
    });
    return whose.isPresent();
  }

  private Share share(Job job, Moment now) {
    return Share.ofGang(
        names.get(),
        settings.worker(),
        job.ranks,
        job.id(),
        now.leaseEnd(settings.lease().lease()));
  }

  /** The request was granted: each gang opens for its job, if the job still waits. */
  void admitted(List<Share> shares, Moment now) {
    asked = false;
    Reservation reservation = ledger.reservation();
    for (Share share : shares) {
      boolean reserved = reservation != null && reservation.job().equals(share.job());
      Gang gang = new Gang(share.id(), share.slots(), reserved ? share.job() : "", settings);
      gangs.add(gang);
      out.accept(new GangEffect.Open(gang.id));
      jobs.byId(share.job(), JobPhase.ADMITTING)
          .ifPresent(job -> {
            gang.opensFor(job);
            jobs.place(job, now);
          });
    }
  }

  /** The request was refused: there is no room for these gangs now. */
  void refused(List<Share> shares, Moment now) {
    asked = false;
    for (Share share : shares) {
      jobs.byId(share.job(), JobPhase.ADMITTING).ifPresent(job -> job.refused(now));
    }
  }
}
