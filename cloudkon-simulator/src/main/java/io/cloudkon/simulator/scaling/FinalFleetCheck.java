package io.cloudkon.simulator.scaling;

import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.world.World;
import java.util.List;

/**
 * Checks the fleet after all work has ended: all workers but the minimum end, the remaining ones
 * stay, and everything that was ever granted is accounted for. When nobody provisions any more, the
 * remaining ones end too.
 */
record FinalFleetCheck(World world, ScaledFleet fleet) {
  private static final long STEP = 1_000_000;

  /** The time for which nothing is launched after failed launches: ten minutes. */
  private static final long BACK_OFF = 600_000_000;

  /** The time for long polls, drains, expiring seats, and successive calls. */
  private static final long SLACK = 240_000_000;

  void check() {
    int min = fleet.setup().provisioning().min();
    fleet.provisioners().forEach(one -> one.process().livesOn());
    fleet.live().forEach(one -> one.worker().livesOn());
    fleet.cloud().byHand().live().forEach(SimProcess::die);
    // By then stopped processes have continued, and no reported depth is older.
    world.timeline().letPass(fleet.pauses() + fleet.setup().staleMicros());
    long boots =
        1000 * fleet.setup().provisioning().bootTimeout()
            + fleet.setup().boots().most()
            + fleet.setup().boots().ends();
    long ends = 1000 * ends();
    until(
        "all but %d have ended".formatted(min),
        BACK_OFF + boots + 2 * ends + SLACK,
        () -> settled(min));
    int before = fleet.launches().count();
    List<String> staying = names();
    world.timeline().letPass(2 * ends + SLACK);
    Violation.unless(
        fleet.callsAreSlow()
            || (settled(min) && fleet.launches().count() == before && names().equals(staying)),
        "nothing is to be done, but of workers %s there are %s, after %d launches",
        staying,
        names(),
        fleet.launches().count() - before);
    until("all but %d have ended again".formatted(min), boots + ends + SLACK, () -> settled(min));
    fleet.launches().atTheEnd();
    Violation.unless(
        seats().size() == min,
        "%d idle workers are to stay, and these have seats: %s",
        min,
        seats());
    fleet.provisioners().forEach(one -> one.process().die());
    until(
        "nobody is left without a provisioner",
        1000 * IdleEvent.MinimumRead.HOLDS_MILLIS + ends + SLACK,
        () -> settled(0));
    SimHpc hpc = world.cloud().hpcIfAny();
    if (hpc != null) {
      LedgerView ledger = hpc.ledger().now();
      Violation.unless(
          ledger.reservation() == null
              && ledger.waiting().stream()
                  .noneMatch(waiting -> waiting.leaseEnd() > world.serviceMillis())
              && ledger.shares().stream()
                  .noneMatch(share -> share.leaseEnd() > world.serviceMillis()),
          "nobody is there, but the ledger is %s",
          ledger);
      Violation.unless(world.witness().ranks().none(), "ranks are left");
    }
  }

  private long ends() {
    WorkerSetup.Lifetime lifetime = fleet.setup().worker().lifetime();
    return lifetime == null ? 0 : Math.max(lifetime.idle(), lifetime.minimum());
  }

  /** Whether exactly this number of workers live, no instance boots, and the tables agree. */
  private boolean settled(int count) {
    return fleet.live().size() == count
        && fleet.cloud().instances().existing().size() == count
        && fleet.cloud().entries().now().stream()
                .filter(entry -> entry.livesAt(world.serviceMillis()))
                .count()
            == count
        && (count == 0 || seats().size() == count);
  }

  private List<String> names() {
    return fleet.live().stream().map(one -> one.worker().process().name()).toList();
  }

  private List<IdleSeat> seats() {
    List<SimProcess> live = fleet.live().stream().map(one -> one.worker().process()).toList();
    return fleet.cloud().decisions().now().seats().stream()
        .filter(seat -> seat.leaseEnd() > world.serviceMillis())
        .filter(seat -> live.stream().anyMatch(one -> one.name().equals(seat.worker())))
        .toList();
  }

  private interface Condition {
    boolean holds();
  }

  private void until(String what, long micros, Condition condition) {
    long end = world.timeline().now() + micros;
    while (!condition.holds()) {
      Violation.unless(
          world.timeline().now() < end,
          "after %d s it is not so that %s: workers %s, instances %s, provisioners %s, seats %s",
          micros / 1_000_000,
          what,
          fleet.live().stream().map(ScaledFleet.Launched::worker).toList(),
          fleet.cloud().instances().existing(),
          fleet.provisioners(),
          fleet.cloud().decisions().now().seats());
      world.timeline().letPass(STEP);
    }
  }
}
