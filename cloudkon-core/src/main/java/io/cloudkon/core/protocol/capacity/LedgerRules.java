package io.cloudkon.core.protocol.capacity;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions and effects of every change of the ledger. The memory store uses them directly,
 * the AWS store expresses the same in DynamoDB's condition expressions, and the contract suite
 * verifies that both agree. If the effect of a change by the same owner already exists, the change
 * counts as carried out, because its answer was lost.
 */
public final class LedgerRules {
  private LedgerRules() {}

  /** Carries out the change as a whole, or not at all. */
  public static boolean change(Ledger ledger, LedgerChange change) {
    return switch (change) {
      case LedgerChange.Join join -> join(ledger, join.worker());
      case LedgerChange.Admit admit -> admit(ledger, admit);
      case LedgerChange.AdmitReserved admit -> admitReserved(ledger, admit.gang());
      case LedgerChange.Remove remove -> remove(ledger, remove);
      case LedgerChange.Reserve reserve -> reserve(ledger, reserve.reservation());
      case LedgerChange.Unreserve unreserve -> unreserve(ledger, unreserve);
    };
  }

  /**
   * Extends the lease of a share that exists and belongs to the same owner; a delayed copy of an
   * earlier renewal changes nothing.
   */
  public static boolean renew(Ledger ledger, Share share) {
    Share current = ledger.shares.get(share.key());
    if (current == null || !current.owner().equals(share.owner())) {
      return false;
    }
    if (current.leaseEnd() < share.leaseEnd()) {
      ledger.shares.put(share.key(), current.until(share.leaseEnd()));
    }
    return true;
  }

  /** Extends the lease of the reservation, if this worker's job still has it. */
  public static boolean renew(Ledger ledger, String job, String worker, long leaseEnd) {
    Reservation current = ledger.reservation;
    if (current == null || !current.job().equals(job) || !current.worker().equals(worker)) {
      return false;
    }
    ledger.reservation =
        new Reservation(
            job,
            current.ranks(),
            worker,
            current.admitted(),
            current.held(),
            Math.max(leaseEnd, current.leaseEnd()));
    return true;
  }

  /**
   * A worker keeps so many slots empty for the job that has the reservation, where it kept {@code
   * before}; never more in all than the job has ranks.
   */
  public static boolean keep(Ledger ledger, String job, String worker, int before, int slots) {
    Reservation current = ledger.reservation;
    if (current == null || !current.job().equals(job)) {
      return false;
    }
    int now = current.heldBy(worker);
    if (now == slots) {
      return true;
    }
    if (now != before || current.heldInAll() - now + slots > current.ranks()) {
      return false;
    }
    Map<String, Integer> held = new HashMap<>(current.held());
    held.put(worker, slots);
    ledger.reservation = with(current, current.admitted(), held);
    return true;
  }

  private static Reservation with(Reservation of, boolean admitted, Map<String, Integer> held) {
    return new Reservation(of.job(), of.ranks(), of.worker(), admitted, held, of.leaseEnd());
  }

  private static boolean join(Ledger ledger, Share worker) {
    Share current = ledger.shares.get(worker.key());
    if (current != null) {
      return mine(current, worker);
    }
    put(ledger, worker);
    return true;
  }

  private static boolean admit(Ledger ledger, LedgerChange.Admit admit) {
    if (admit.gangs().stream().allMatch(gang -> mine(ledger.shares.get(gang.key()), gang))) {
      return true;
    }
    boolean any = admit.gangs().stream().anyMatch(gang -> ledger.shares.containsKey(gang.key()));
    if (any
        || ledger.counter.reserved() != admit.reservedSeen()
        || ledger.counter.free() < admit.slots() + admit.reservedSeen()) {
      return false;
    }
    admit.gangs().forEach(gang -> put(ledger, gang));
    return true;
  }

  private static boolean admitReserved(Ledger ledger, Share gang) {
    if (mine(ledger.shares.get(gang.key()), gang)) {
      return true;
    }
    Reservation reservation = ledger.reservation;
    if (reservation == null
        || !reservation.job().equals(gang.job())
        || !reservation.worker().equals(gang.owner())
        || reservation.admitted()
        || ledger.shares.containsKey(gang.key())
        || ledger.counter.free() < gang.slots()) {
      return false;
    }
    put(ledger, gang);
    ledger.counter = ledger.counter.plus(0, -reservation.ranks());
    ledger.reservation = with(reservation, true, reservation.held());
    return true;
  }

  private static boolean remove(Ledger ledger, LedgerChange.Remove remove) {
    Share seen = remove.share();
    Share current = ledger.shares.get(seen.key());
    if (current == null
        || !current.owner().equals(seen.owner())
        || (remove.swept() && current.leaseEnd() != seen.leaseEnd())) {
      return false;
    }
    ledger.shares.remove(seen.key());
    ledger.counter = ledger.counter.plus(-current.freed(), 0);
    return true;
  }

  private static boolean reserve(Ledger ledger, Reservation wanted) {
    Reservation current = ledger.reservation;
    if (current != null) {
      return current.job().equals(wanted.job()) && current.worker().equals(wanted.worker());
    }
    ledger.reservation = wanted;
    ledger.counter = ledger.counter.plus(0, wanted.ranks());
    return true;
  }

  private static boolean unreserve(Ledger ledger, LedgerChange.Unreserve unreserve) {
    Reservation seen = unreserve.reservation();
    Reservation current = ledger.reservation;
    if (current == null
        || !current.job().equals(seen.job())
        || !current.worker().equals(seen.worker())
        || current.admitted() != seen.admitted()
        || (unreserve.swept() && current.leaseEnd() != seen.leaseEnd())) {
      return false;
    }
    ledger.reservation = null;
    if (!current.admitted()) {
      ledger.counter = ledger.counter.plus(0, -current.ranks());
    }
    return true;
  }

  private static void put(Ledger ledger, Share share) {
    ledger.shares.put(share.key(), share);
    ledger.counter = ledger.counter.plus(share.freed(), 0);
  }

  private static boolean mine(@Nullable Share current, Share share) {
    return current != null
        && current.owner().equals(share.owner())
        && current.slots() == share.slots();
  }
}
