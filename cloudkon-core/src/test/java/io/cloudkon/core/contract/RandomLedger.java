package io.cloudkon.core.contract;

import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Random calls on a ledger, likely enough to be accepted: few workers, gangs and jobs, leases that
 * differ by little, and things seen as they are or as they might have been.
 */
public final class RandomLedger {
  /** One call, on the model and on any other ledger. */
  public sealed interface Call {
    boolean on(Ledger model);

    boolean on(CapacityLedger ledger);
  }

  /** One change. */
  public record Change(LedgerChange change) implements Call {
    @Override
    public boolean on(Ledger model) {
      return LedgerRules.change(model, change);
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      return ledger.change(change);
    }
  }

  private record Renew(Share share) implements Call {
    @Override
    public boolean on(Ledger model) {
      return LedgerRules.renew(model, share);
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      return ledger.renew(share);
    }
  }

  private record RenewReservation(String job, String worker, long leaseEnd) implements Call {
    @Override
    public boolean on(Ledger model) {
      return LedgerRules.renew(model, job, worker, leaseEnd);
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      return ledger.renewReservation(job, worker, leaseEnd);
    }
  }

  private record Keep(String job, String worker, int before, int slots) implements Call {
    @Override
    public boolean on(Ledger model) {
      return LedgerRules.keep(model, job, worker, before, slots);
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      return ledger.keep(job, worker, before, slots);
    }
  }

  private record Put(Waiting waiting) implements Call {
    @Override
    public boolean on(Ledger model) {
      model.put(waiting);
      return true;
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      ledger.put(waiting);
      return true;
    }
  }

  private record RemoveWaiting(String job, String worker) implements Call {
    @Override
    public boolean on(Ledger model) {
      model.removeWaiting(job, worker);
      return true;
    }

    @Override
    public boolean on(CapacityLedger ledger) {
      ledger.removeWaiting(job, worker);
      return true;
    }
  }

  private final SplittableRandom random;

  public RandomLedger(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next call, for a ledger as this one. */
  public Call next(Ledger model) {
    return switch (random.nextInt(20)) {
      case 0, 1, 2 -> new Change(join());
      case 3, 4, 5, 6 -> new Change(admit(model));
      case 7, 8 -> new Change(admitReserved(model));
      case 9, 10, 11 -> new Change(new LedgerChange.Remove(Ledgers.token(), seen(model), often(2)));
      case 12 -> new Change(new LedgerChange.Reserve(Ledgers.token(), reservation()));
      case 13 ->
          new Change(new LedgerChange.Unreserve(Ledgers.token(), seenReservation(model), often(2)));
      case 14, 15 -> new Renew(seen(model).until(leaseEnd()));
      case 16 -> renewal(model);
      case 17, 18 -> keep(model);
      default ->
          often(2)
              ? new Put(new Waiting(job(), ranks(), leaseEnd(), worker(), leaseEnd()))
              : new RemoveWaiting(job(), worker());
    };
  }

  private LedgerChange join() {
    return new LedgerChange.Join(
        Ledgers.token(), Share.ofWorker(worker(), 1 + random.nextInt(4), leaseEnd()));
  }

  private LedgerChange admit(Ledger model) {
    int gangs = often(3) ? 2 : 1;
    int first = random.nextInt(4);
    return new LedgerChange.Admit(
        Ledgers.token(),
        IntStream.range(0, gangs).mapToObj(i -> gang(first + i, worker(), ranks(), job())).toList(),
        often(4) ? random.nextInt(5) : model.counter().reserved());
  }

  private LedgerChange admitReserved(Ledger model) {
    Reservation as = seenReservation(model);
    int slots = often(4) ? ranks() : as.ranks();
    return new LedgerChange.AdmitReserved(
        Ledgers.token(), gang(random.nextInt(5), as.worker(), slots, as.job()));
  }

  private Call renewal(Ledger model) {
    Reservation as = seenReservation(model);
    return new RenewReservation(as.job(), as.worker(), leaseEnd());
  }

  private Call keep(Ledger model) {
    Reservation as = seenReservation(model);
    String worker = worker();
    int before = often(4) ? random.nextInt(3) : as.heldBy(worker);
    return new Keep(as.job(), worker, before, random.nextInt(4));
  }

  /** One that is there, or might have been, or never was. */
  private Share seen(Ledger model) {
    List<Share> shares = model.view().shares();
    if (shares.isEmpty() || often(5)) {
      return often(2)
          ? Share.ofWorker(worker(), ranks(), leaseEnd())
          : gang(random.nextInt(5), worker(), ranks(), job());
    }
    Share share = shares.get(random.nextInt(shares.size()));
    return often(5)
        ? new Share(share.kind(), share.id(), worker(), ranks(), share.job(), leaseEnd())
        : share;
  }

  private Reservation seenReservation(Ledger model) {
    @Nullable Reservation current = model.reservation();
    return current == null || often(5) ? reservation() : current;
  }

  private Reservation reservation() {
    return Reservation.of(job(), ranks(), worker(), leaseEnd());
  }

  private Share gang(int number, String manager, int slots, String job) {
    return Share.ofGang("g" + number, manager, slots, job, leaseEnd());
  }

  private String worker() {
    return "w" + random.nextInt(4);
  }

  private String job() {
    return "run/epoch/" + random.nextInt(3);
  }

  private int ranks() {
    return 1 + random.nextInt(4);
  }

  private long leaseEnd() {
    return Ledgers.LEASE_END + random.nextInt(4);
  }

  private boolean often(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }
}
