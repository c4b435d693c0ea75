package io.cloudkon.simulator;

import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.world.World;
import java.util.List;

/**
 * Checks the ledger after all jobs have ended: it holds the slots of live workers and nothing else,
 * also no job that waits, and nothing at all once the last worker has left.
 *
 * @param callMicros the median of a call
 */
record FinalLedgerCheck(World world, SimHpc hpc, List<SimWorker> workers, long callMicros) {
  /** The time within which leases of dead workers expire and are swept, in microseconds. */
  private static final long SWEPT = 150_000_000;

  /**
   * The time within which idle gangs are dissolved and unneeded reservations released, in
   * microseconds. Less than a lease, after which other workers would sweep what was forgotten.
   */
  private static final long SETTLED = 5_000_000;

  /**
   * The time within which workers that were swept in an outage join again: one lease, in
   * microseconds.
   */
  private static final long JOINED = 15_000_000;

  /**
   * The extra time for successive calls, in medians of a call: a single call may take 15 of them.
   */
  private static final long CALLS = 60;

  private static final long STEP = 1_000_000;
  private static final long DRAIN_MILLIS = 10_000;
  private static final long GONE = 120_000_000;

  void check() {
    workers.forEach(SimWorker::livesOn);
    int slots = -1;
    // A worker may have died just before.
    for (int before = -2; slots != before; ) {
      before = slots;
      long calls = CALLS * callMicros;
      if (unharmed()) {
        world.timeline().letPass(SETTLED + calls);
        checkGangsAreGone();
        world.timeline().letPass(JOINED);
      } else {
        world.timeline().letPass(SWEPT + calls);
      }
      slots = workers.stream().filter(one -> !one.left()).mapToInt(SimWorker::slots).sum();
    }
    LedgerView view = hpc.ledger().now();
    Violation.unless(
        view.counter().equals(new LedgerCounter(slots, 0))
            && view.reservation() == null
            && view.waiting().isEmpty()
            && view.shares().stream().allMatch(share -> share.kind() == Share.Kind.WORKER),
        "%d slots live and nothing runs, but the ledger is %s",
        slots,
        view);
    Violation.unless(world.witness().ranks().none(), "ranks are left");
    workers.forEach(worker -> worker.drain(DRAIN_MILLIS));
    for (long passed = 0; passed < GONE && !workers.stream().allMatch(SimWorker::left); ) {
      passed += STEP;
      world.timeline().letPass(STEP);
    }
    workers.forEach(worker -> Violation.unless(worker.left(), "worker %s does not leave", worker));
    LedgerView after = hpc.ledger().now();
    Violation.unless(
        after.counter().equals(LedgerCounter.NONE)
            && after.reservation() == null
            && after.waiting().isEmpty()
            && after.shares().isEmpty(),
        "nobody is there, but the ledger is %s",
        after);
  }

  private boolean unharmed() {
    return workers.stream().allMatch(SimWorker::unharmed);
  }

  private void checkGangsAreGone() {
    LedgerView view = hpc.ledger().now();
    Violation.unless(
        !unharmed()
            || (view.reservation() == null
                && view.waiting().isEmpty()
                && view.shares().stream().allMatch(share -> share.kind() == Share.Kind.WORKER)),
        "nothing runs, but the ledger is %s",
        view);
  }
}
