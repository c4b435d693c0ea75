package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** One worker's machine and its clocks, which stand still until a test turns them. */
final class IdleBed {
  static final long IDLE = 60_000;
  static final long HOUR = 3_600_000;
  static final long WINDOW = 300_000;
  static final long PATIENCE = 300_000;
  static final LeaseSettings LEASE = LeaseSettings.DEFAULT;

  /** With which seat of three the worker of these tests begins. */
  static final int FIRST_OF_THREE = Math.floorMod("w".hashCode(), 3);

  final IdleMachine machine;
  private Moment now = new Moment(1_000_000, 1_767_225_600_000L);

  private IdleBed(IdleSettings settings) {
    machine = new IdleMachine(settings, now);
  }

  /** One of a fleet, paid by the second, a minute at least; it takes part in HPC jobs. */
  static IdleBed ofFleet() {
    return new IdleBed(settings(IDLE, 60_000, 1_000, 1_000, IdleSettings.NEVER, true, true));
  }

  /** The same, paid by the hour, without HPC jobs and seats. */
  static IdleBed paidByTheHour() {
    return new IdleBed(settings(IDLE, 60_000, HOUR, WINDOW, IdleSettings.NEVER, false, false));
  }

  /** It may live for so long, and stays if idle. */
  static IdleBed living(long lifetime) {
    return new IdleBed(settings(IdleSettings.NEVER, 0, 1_000, 1_000, lifetime, false, false));
  }

  /** Paid for so long in any case. */
  static IdleBed paidFor(long minimum) {
    return new IdleBed(settings(IDLE, minimum, 1_000, 1_000, IdleSettings.NEVER, false, false));
  }

  static IdleSettings settings(
      long idle,
      long minimum,
      long period,
      long window,
      long lifetime,
      boolean jobs,
      boolean seats) {
    return new IdleSettings(
        "w", idle, minimum, period, window, lifetime, jobs, seats, LEASE, PATIENCE);
  }

  Moment now() {
    return now;
  }

  /** Turns both clocks. */
  void pass(long millis) {
    now = now.plus(millis);
  }

  /** The machine slept: only the service's clock went on. */
  void sleep(long millis) {
    now = new Moment(now.mono(), now.service() + millis);
  }

  List<IdleEffect> tick() {
    return machine.on(new IdleEvent.Tick(false), now);
  }

  /** Time has passed in which it held messages that may be work. */
  List<IdleEffect> hold() {
    return machine.on(new IdleEvent.Tick(false, true), now);
  }

  List<IdleEffect> work() {
    return machine.on(new IdleEvent.Tick(true), now);
  }

  List<IdleEffect> tell(IdleEvent event) {
    return machine.on(event, now);
  }

  /** Idle for long enough, and no job waits. */
  List<IdleEffect> idleOut() {
    pass(IDLE);
    tick();
    return tell(new IdleEvent.JobsSeen(false, 1));
  }

  /** A provisioner has just said how many are to stay. */
  List<IdleEffect> minimum(int workers) {
    return tell(new IdleEvent.MinimumRead(workers, now.service()));
  }

  /** As one that has the first of three seats. */
  void takeSeat() {
    idleOut();
    minimum(3);
    tell(new IdleEvent.SeatAnswered(FIRST_OF_THREE, true));
  }

  IdleEffect.Sit asksFor(int seat) {
    return new IdleEffect.Sit(seat, now.service() + LEASE.lease(), now.service() - LEASE.margin());
  }

  IdlePhase phase() {
    return machine.phase();
  }
}
