package io.cloudkon.core.protocol.intake;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.intake.IntakePhase.Trigger;
import io.cloudkon.core.time.Moment;

/**
 * Decides when a worker receives and how much: ahead of need by time, not by count. What it has in
 * hand is to cover what a task needs to get here and to be claimed, and nothing is to wait here for
 * longer than a bundle's target while another worker could start it. Pure; used by one thread at a
 * time.
 */
public final class IntakeMachine {
  /** Covers half as much again, as round trips vary. */
  private static final double COVER = 1.5;

  private static final double WEIGHT = 0.2;
  private static final int MAX_DOUBLINGS = 5;

  private final IntakeSettings settings;
  private IntakePhase phase = IntakePhase.TABLE.start();
  private double roundTripMicros = 5_000;
  private double claimMicros = 5_000;
  private double bundleMicros = Double.NaN;
  private int ahead = Limits.BUNDLES_AHEAD;
  private boolean inSequence;
  private int failures;
  private Moment retryAt = new Moment(0, 0);

  public IntakeMachine(IntakeSettings settings) {
    this.settings = settings;
  }

  public IntakePhase phase() {
    return phase;
  }

  /**
   * How many bundles to ask for now.
   *
   * @return 0 for no receive; else a receive is under way from here on
   */
  public int receive(IntakeLoad load, Moment now) {
    if (phase == IntakePhase.BACKING_OFF && now.mono() >= retryAt.mono()) {
      move(Trigger.RETRY);
    }
    if (phase != IntakePhase.WATCHING) {
      return 0;
    }
    int wanted = inSequence ? wantedInSequence(load) : wanted(load);
    if (wanted > 0) {
      move(Trigger.RECEIVE);
    }
    return wanted;
  }

  /** As published: a free slot receives as much as a call can bring, and waits for it. */
  private static int wantedInSequence(IntakeLoad load) {
    return load.freeSlots() > load.begunTasks() && load.held() == 0 ? Limits.BATCH : 0;
  }

  private int wanted(IntakeLoad load) {
    int room = ahead - load.held();
    if (room <= 0) {
      return 0;
    }
    boolean starving = load.freeSlots() > load.begunTasks() && load.held() == 0;
    if (starving) {
      int fit = Double.isNaN(bundleMicros) ? load.freeSlots() : fits(load, 0);
      return Math.clamp(fit, 1, room);
    }
    double inHand = load.begunMicros() + load.heldMicros();
    if (Double.isNaN(inHand) || load.soonMicros() > cover()) {
      return 0;
    }
    double lacking = cover() * load.slots() - inHand;
    // However long they are, no task fills two slots.
    int lackingTasks = load.freeAtReceive() - load.begunTasks() - load.heldTasks();
    if (lacking <= 0 && lackingTasks <= 0) {
      return 0;
    }
    double perBundle = Double.isNaN(bundleMicros) ? settings.targetMillis() * 1000.0 : bundleMicros;
    double byWork = Math.ceil(lacking / Math.max(1, perBundle));
    int need = (int) Math.min(room, Math.max(byWork, lackingTasks));
    return Math.clamp(Math.min(need, fits(load, inHand)), 1, room);
  }

  /**
   * How long it takes from asking for a bundle until its first task may start, and some more; in
   * microseconds.
   */
  public double cover() {
    return COVER * (roundTripMicros + claimMicros);
  }

  /** How long it takes from asking for a claim until it is there, and some more; microseconds. */
  public double claimCover() {
    return COVER * claimMicros;
  }

  /** Whether a receive could be decided on before the next event. */
  public boolean watching() {
    return phase == IntakePhase.WATCHING;
  }

  /** How many bundles of the usual size all slots together finish within a bundle's target. */
  private int fits(IntakeLoad load, double inHand) {
    double capacity = load.slots() * settings.targetMillis() * 1000.0 - inHand;
    double perBundle = Double.isNaN(bundleMicros) ? settings.targetMillis() * 1000.0 : bundleMicros;
    return (int) Math.min(ahead, Math.floor(capacity / Math.max(1, perBundle)));
  }

  /**
   * Whether the next held bundle is to be begun: a slot is free for it, or will be by the time its
   * claim is there.
   */
  public boolean begin(IntakeLoad load) {
    if (load.held() == 0) {
      return false;
    }
    if (inSequence) {
      return load.freeSlots() > load.begunTasks();
    }
    if (load.freeAtClaim() > load.begunTasks()) {
      return true;
    }
    return load.soonMicros() <= claimCover() && load.begunMicros() < claimCover() * load.slots();
  }

  /**
   * Whether what waits here would better wait where others see it: every slot is busy, and will be
   * for long.
   */
  public boolean stuck(IntakeLoad load, long waitedMillis) {
    return load.freeSlots() == 0
        && load.soonMicros() > settings.targetMillis() * 1000.0
        && waitedMillis >= settings.targetMillis();
  }

  /** A receive came back, with or without messages; it took so long if it did not have to wait. */
  public void arrived(int messages, long micros) {
    failures = 0;
    move(Trigger.ARRIVED);
    if (messages > 0) {
      roundTripMicros += WEIGHT * (Math.min(micros, 1_000_000) - roundTripMicros);
    }
  }

  /** A receive failed. */
  public void failed(Moment now) {
    move(Trigger.FAILED);
    retryAt = now.plus(settings.backOffMillis() << Math.min(failures, MAX_DOUBLINGS));
    failures++;
  }

  /** A bundle was seen whose tasks are likely to take so long together. */
  public void sawBundle(double micros) {
    if (!Double.isNaN(micros)) {
      bundleMicros =
          Double.isNaN(bundleMicros) ? micros : bundleMicros + WEIGHT * (micros - bundleMicros);
    }
  }

  /**
   * How many bundles may be held ahead of need from now on, by what the last one that came was;
   * before, {@link Limits#BUNDLES_AHEAD}.
   */
  public void holdAhead(int bundles) {
    ahead = bundles;
  }

  /**
   * Whether nothing is received or begun before a slot is free for it, by what the last bundle that
   * came was; false before.
   */
  public void inSequence(boolean sequence) {
    inSequence = sequence;
  }

  /** A claim took so long. */
  public void claimTook(long micros) {
    claimMicros += WEIGHT * (Math.min(micros, 1_000_000) - claimMicros);
  }

  /** The worker leaves. */
  public void drain() {
    if (phase != IntakePhase.STOPPING && phase != IntakePhase.STOPPED) {
      move(Trigger.DRAIN);
    }
  }

  private void move(Trigger trigger) {
    phase = IntakePhase.TABLE.next(phase, trigger);
  }
}
