package io.cloudkon.core.contract;

import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerChange.Admit;
import io.cloudkon.core.protocol.capacity.LedgerChange.AdmitReserved;
import io.cloudkon.core.protocol.capacity.LedgerChange.Join;
import io.cloudkon.core.protocol.capacity.LedgerChange.Remove;
import io.cloudkon.core.protocol.capacity.LedgerChange.Reserve;
import io.cloudkon.core.protocol.capacity.LedgerChange.Unreserve;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Changes of a ledger, each with a token of its own, as the suites need them. */
final class Ledgers {
  /** When leases end here unless said otherwise. */
  static final long LEASE_END = 1_800_000_000_000L;

  private Ledgers() {}

  static String token() {
    return UUID.randomUUID().toString();
  }

  static Share worker(String id, int slots) {
    return Share.ofWorker(id, slots, LEASE_END);
  }

  /** A gang of job {@code j-ID}. */
  static Share gang(String id, String manager, int slots) {
    return Share.ofGang(id, manager, slots, "j-" + id, LEASE_END);
  }

  static Reservation reservation(String job, String worker, int ranks) {
    return Reservation.of(job, ranks, worker, LEASE_END);
  }

  static Join join(String worker, int slots) {
    return new Join(token(), worker(worker, slots));
  }

  static Admit admit(int reservedSeen, Share... gangs) {
    return new Admit(token(), List.of(gangs), reservedSeen);
  }

  static AdmitReserved admitReserved(Share gang) {
    return new AdmitReserved(token(), gang);
  }

  static Remove leave(Share share) {
    return new Remove(token(), share, false);
  }

  static Remove sweep(Share share) {
    return new Remove(token(), share, true);
  }

  static Reserve reserve(Reservation reservation) {
    return new Reserve(token(), reservation);
  }

  static Unreserve unreserve(Reservation reservation) {
    return new Unreserve(token(), reservation, false);
  }

  static Unreserve sweep(Reservation reservation) {
    return new Unreserve(token(), reservation, true);
  }

  /** The same change under another token: what a caller does that forgot the first. */
  static LedgerChange anew(LedgerChange change) {
    return switch (change) {
      case Join join -> new Join(token(), join.worker());
      case Admit admit -> new Admit(token(), admit.gangs(), admit.reservedSeen());
      case AdmitReserved admit -> new AdmitReserved(token(), admit.gang());
      case Remove remove -> new Remove(token(), remove.share(), remove.swept());
      case Reserve reserve -> new Reserve(token(), reserve.reservation());
      case Unreserve unreserve ->
          new Unreserve(token(), unreserve.reservation(), unreserve.swept());
    };
  }

  /** The view with its lists in the order of their keys. */
  static LedgerView sorted(LedgerView view) {
    return new LedgerView(
        view.counter(),
        view.shares().stream().sorted(Comparator.comparing(Share::key)).toList(),
        view.waiting().stream().sorted(Comparator.comparing(Waiting::job)).toList(),
        view.reservation());
  }
}
