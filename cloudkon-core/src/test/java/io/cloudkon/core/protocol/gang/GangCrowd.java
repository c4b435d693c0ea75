package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Many managers with one ledger and one time, that began together. The ledger answers at once, and
 * every slot has a gang whose lease does not end; nobody answers for claims.
 */
final class GangCrowd {
  static final int SLOTS = 4;
  private static final int TICK_MILLIS = 50;
  private static final long NEVER = Long.MAX_VALUE / 2;

  /** What an item of the ledger has, in bytes, and how many of them one unit reads. */
  private static final int ITEM = 250;

  private static final int UNIT = 4096;

  final Ledger ledger = new Ledger();
  final List<ManagerMachine> managers = new ArrayList<>();
  Moment now = new Moment(10_000, 3_000_000);

  /** Reads of all of the ledger, by when. */
  final List<Long> views = new ArrayList<>();

  int looks;
  int looksForRoom;

  /** What they cost: a consistent read of 4 KB is 1, any other half of that. */
  double readUnits;

  int gangs;
  private long names;
  private long keys;

  GangCrowd(int workers) {
    for (int i = 0; i < workers; i++) {
      String name = name(i);
      managers.add(
          new ManagerMachine(GangBench.settings(name, SLOTS, 0), () -> name + "-" + ++names));
    }
    later(100);
    for (int i = 0; i < workers; i++) {
      change(new LedgerChange.Admit("full" + i, List.of(full(i)), 0));
    }
  }

  static String name(int worker) {
    return "w%04d".formatted(worker);
  }

  /** The gang that has as many slots as this worker brings. */
  private static Share full(int worker) {
    return Share.ofGang("full" + worker, name(worker), SLOTS, "run/full/" + worker, NEVER);
  }

  /** So many slots fall free. */
  void free(int worker) {
    change(new LedgerChange.Remove("free" + worker, full(worker), false));
  }

  void change(LedgerChange change) {
    if (!LedgerRules.change(ledger, change)) {
      throw new IllegalStateException("refused: " + change);
    }
  }

  void receive(int worker, String job, int ranks) {
    Arrival arrival =
        new Arrival(++keys, GangBench.job(job, ranks, Consistency.EXACTLY_ONCE), "r" + keys);
    on(worker, new GangEvent.Received(List.of(arrival), now));
  }

  /** So many jobs of two ranks in each worker's hands. */
  void receiveEach(int jobs) {
    for (int worker = 0; worker < managers.size(); worker++) {
      for (int job = 0; job < jobs; job++) {
        receive(worker, "run/e/%d-%d".formatted(worker, job), 2);
      }
    }
  }

  void later(long millis) {
    for (long left = millis; left > 0; left -= TICK_MILLIS) {
      now = now.plus(TICK_MILLIS);
      for (int worker = 0; worker < managers.size(); worker++) {
        on(worker, new GangEvent.Tick());
      }
    }
  }

  /** How long it takes until something is so; as long as that may be if it never is. */
  long until(BooleanSupplier so, long mostMillis) {
    long begun = now.mono();
    while (!so.getAsBoolean() && now.mono() - begun < mostMillis) {
      later(TICK_MILLIS);
    }
    return now.mono() - begun;
  }

  void count() {
    views.clear();
    looks = 0;
    looksForRoom = 0;
    readUnits = 0;
  }

  void on(int worker, GangEvent event) {
    Deque<GangEvent> events = new ArrayDeque<>(List.of(event));
    while (!events.isEmpty()) {
      for (GangEffect effect : managers.get(worker).on(events.remove(), now)) {
        switch (effect) {
          case GangEffect.OfLedger of -> call(of.call(), events);
          case GangEffect.ReadClaim read -> events.add(new GangEvent.ClaimRead(read.job(), null));
          case GangEffect.Open open -> gangs++;
          default -> {} // nobody answers
        }
      }
    }
  }

  private void call(CapacityEffect.Call call, Deque<GangEvent> events) {
    switch (call) {
      case CapacityEffect.Change change ->
          events.add(
              new GangEvent.Changed(
                  change.change().token(), LedgerRules.change(ledger, change.change())));
      case CapacityEffect.Renew renew ->
          events.add(
              new GangEvent.Renewed(renew.share().key(), LedgerRules.renew(ledger, renew.share())));
      case CapacityEffect.RenewReservation renew ->
          events.add(
              new GangEvent.ReservationRenewed(
                  renew.job(),
                  LedgerRules.renew(ledger, renew.job(), renew.worker(), renew.leaseEnd())));
      case CapacityEffect.PutWaiting put -> ledger.put(put.waiting());
      case CapacityEffect.RemoveWaiting remove ->
          ledger.removeWaiting(remove.job(), remove.worker());
      case CapacityEffect.View view -> {
        LedgerView seen = ledger.view();
        int items = seen.shares().size() + seen.waiting().size() + 2;
        views.add(now.mono());
        readUnits += Math.ceilDiv(items * ITEM, UNIT);
        events.add(new GangEvent.Viewed(seen, now, RankLimit.Fleet.NONE));
      }
      case CapacityEffect.Look look -> {
        looks++;
        readUnits += 0.5;
        events.add(new GangEvent.Looked(ledger.reservation()));
      }
      case CapacityEffect.LookForRoom look -> {
        looksForRoom++;
        readUnits += 1.5;
        events.add(new GangEvent.Looked(ledger.counter(), ledger.reservation()));
      }
    }
  }
}
