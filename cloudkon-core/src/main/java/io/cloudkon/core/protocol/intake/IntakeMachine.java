package io.cloudkon.core.protocol.intake;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.intake.IntakePhase.Trigger;
import io.cloudkon.core.time.Moment;

/**
 * Decides when a worker receives and how much, in advance by time and not by count. The held work
 * should cover the time that a task needs to arrive and to be claimed, and no work should wait here
 * for longer than a bundle's target while another worker could start it. Pure; used by one thread
 * at a time.
 */
public final class IntakeMachine {
  /** The factor by which round trips are overestimated, because they vary. */
  private static final double COVER = 1.5;

  /**
   * A receive brings so many times what covers the next one, where bundles are small enough: then
   * it brings several, and is the only one for a while. More would wait here while others idle.
   */
  private static final double HIGH_MARK = 2;

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
   * The number of bundles to request now.
   *
   * @return 0 for no receive; otherwise a receive is under way from then on
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
    double lacking = lacking(load, inHand);
    // A task never fills two slots, however long it is.
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
   * How much work to ask for, in microseconds: none above the low mark, and as much as reaches the
   * high mark below it.
   */
  private double lacking(IntakeLoad load, double inHand) {
    double low = cover() * load.slots();
    return inHand < low ? HIGH_MARK * low - inHand : 0;
  }

  /**
   * The estimated time from the request of a bundle until its first task may start, with a reserve,
   * in microseconds.
   */
  public double cover() {
    return COVER * (roundTripMicros + claimMicros);
  }

  /** The estimated time of an acquisition with a reserve, in microseconds. */
  public double claimCover() {
    return COVER * claimMicros;
  }

  /** Whether the passing of time alone could lead to a receive. */
  public boolean watching() {
    return phase == IntakePhase.WATCHING;
  }

  /** How many bundles of the usual size all slots together complete within a bundle's target. */
  private int fits(IntakeLoad load, double inHand) {
    double capacity = load.slots() * settings.targetMillis() * 1000.0 - inHand;
    double perBundle = Double.isNaN(bundleMicros) ? settings.targetMillis() * 1000.0 : bundleMicros;
    return (int) Math.min(ahead, Math.floor(capacity / Math.max(1, perBundle)));
  }

  /**
   * Whether to begin the next held bundle, because a slot is free for it, or will be when its claim
   * is granted.
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
   * Whether waiting work should be given back so that others can take it, because every slot is
   * busy for a long time.
   */
  public boolean stuck(IntakeLoad load, long waitedMillis) {
    return load.freeSlots() == 0
        && load.soonMicros() > settings.targetMillis() * 1000.0
        && waitedMillis >= settings.targetMillis();
  }

  /**
   * Handles the answer to a receive.
   *
   * @param messages the number of messages that it brought
   * @param micros how long it took, in microseconds; negative if it may have waited for a message
   */
  public void arrived(int messages, long micros) {
    failures = 0;
    move(Trigger.ARRIVED);
    if (messages > 0 && micros >= 0) {
      roundTripMicros += WEIGHT * (Math.min(micros, 1_000_000) - roundTripMicros);
    }
  }

  /** Handles a failed receive. */
  public void failed(Moment now) {
    move(Trigger.FAILED);
    retryAt = now.plus(settings.backOffMillis() << Math.min(failures, MAX_DOUBLINGS));
    failures++;
  }

  /** Learns from the estimated total time of a received bundle. */
  public void sawBundle(double micros) {
    if (!Double.isNaN(micros)) {
      bundleMicros =
          Double.isNaN(bundleMicros) ? micros : bundleMicros + WEIGHT * (micros - bundleMicros);
    }
  }

  /**
   * Sets how many bundles may be held in advance, depending on the kind of the last received one;
   * initially {@link Limits#BUNDLES_AHEAD}.
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

  /** Learns from the duration of an acquisition. */
  public void claimTook(long micros) {
    claimMicros += WEIGHT * (Math.min(micros, 1_000_000) - claimMicros);
  }

  /** Stops receiving, because the worker leaves. */
  public void drain() {
    if (phase != IntakePhase.STOPPING && phase != IntakePhase.STOPPED) {
      move(Trigger.DRAIN);
    }
  }

  private void move(Trigger trigger) {
    phase = IntakePhase.TABLE.next(phase, trigger);
  }
}
