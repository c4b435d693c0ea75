package io.cloudkon.simulator.engine;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A process with its own clocks that lives, is stopped for a while, or dies at an effect. An effect
 * is anything that the outside world can notice, such as a call that reaches a service or the start
 * of a task.
 */
public final class SimProcess {
  private final Timeline timeline;
  private final Trace trace;
  private final SplittableRandom random;
  private final String name;
  private CrashPoint crash;
  private final Clocks clocks;
  private final List<Runnable> waiting = new ArrayList<>();
  private long suspendedMicros;
  private long cutOffUntil;
  private long noQueueUntil;
  private long leapMillis;
  private long leapUntil = Long.MIN_VALUE;
  private long disturbedUntil = Long.MIN_VALUE;
  private long endsTasksAt = Long.MAX_VALUE;
  private int effects;
  private boolean dead;
  private boolean paused;
  private Runnable onStop = () -> {};
  private Runnable onResume = () -> {};

  /**
   * The errors of a process's clocks.
   *
   * @param serviceSkewMillis the error of its estimate of the service's time
   * @param drift how much too fast its monotonic clock runs: 0.0002 is 200 ppm
   */
  public record Clocks(long serviceSkewMillis, double drift) {
    /** Clocks without error. */
    public static final Clocks RIGHT = new Clocks(0, 0);
  }

  public SimProcess(
      Timeline timeline,
      Trace trace,
      SplittableRandom random,
      String name,
      CrashPoint crash,
      Clocks clocks) {
    this.timeline = timeline;
    this.trace = trace;
    this.random = random;
    this.name = name;
    this.crash = crash;
    this.clocks = clocks;
  }

  public String name() {
    return name;
  }

  /** Sets what is called when it dies or is stopped at its crash point. */
  public void onStop(Runnable what) {
    onStop = what;
  }

  /** Sets what it does first when it continues. */
  public void onResume(Runnable what) {
    onResume = what;
  }

  public boolean dead() {
    return dead;
  }

  public boolean paused() {
    return paused;
  }

  /** Removes its crash point. */
  public void livesOn() {
    crash = CrashPoint.NEVER;
  }

  /** The number of effects so far. */
  public int effects() {
    return effects;
  }

  /** The times of its two clocks, in milliseconds. */
  public Moment now() {
    long mono = timeline.now() - suspendedMicros;
    if (clocks.drift() != 0) {
      mono += (long) (mono * clocks.drift());
    }
    long leap = timeline.now() < leapUntil ? leapMillis : 0;
    return new Moment(mono / 1000, timeline.now() / 1000 + clocks.serviceSkewMillis() + leap, leap);
  }

  /**
   * Sets its wall clock ahead.
   *
   * @param unknownMillis how long it takes until an answer tells it the service's time again
   */
  public void clockLeaps(long millis, long unknownMillis) {
    trace.say(name, "has its clock set ahead by %d ms", millis);
    leapMillis = millis;
    leapUntil = timeline.now() + unknownMillis * 1000;
    disturbed(leapUntil); // its own leases may count as over
  }

  /** The time of the timeline, in microseconds. */
  public long micros() {
    return timeline.now();
  }

  /** Schedules something inside the process, this many microseconds from now. */
  public void in(long micros, Runnable what) {
    timeline.in(micros, () -> inside(what));
  }

  private void inside(Runnable what) {
    if (dead) {
      return;
    }
    if (paused) {
      waiting.add(what);
    } else {
      what.run();
    }
  }

  /**
   * Handles a call that left for a service some time ago; the process that it left may be stopped
   * by now.
   */
  public void reachesService(Supplier<String> what, Runnable effect) {
    if (paused && !dead && random.nextBoolean()) {
      effect(what, effect);
    } else {
      inside(() -> effect(what, effect));
    }
  }

  /** Carries out an effect. The process can die just before or just after it. */
  public void effect(Supplier<String> what, Runnable effect) {
    if (dead) {
      return;
    }
    effects++;
    boolean here = effects == crash.effect();
    if (here && !crash.after()) {
      stopHere("before", what);
      inside(() -> carryOut(what, effect));
      return;
    }
    carryOut(what, effect);
    if (here) {
      stopHere("after", what);
    }
  }

  private void carryOut(Supplier<String> what, Runnable effect) {
    if (trace.on()) {
      trace.say(name, "%s", what.get());
    }
    effect.run();
  }

  private void stopHere(String when, Supplier<String> what) {
    if (trace.on()) {
      trace.say(name, "stops just %s: %s", when, what.get());
    }
    if (crash.pauseMillis() == 0) {
      die();
    } else {
      onStop.run();
      pause(crash.pauseMillis(), random.nextBoolean());
    }
  }

  /** Writes a line to the trace. */
  public void says(String what) {
    trace.say(name, "%s", what);
  }

  /** SIGKILL. */
  public void die() {
    if (!dead) {
      trace.say(name, "dies");
      dead = true;
      waiting.clear();
      onStop.run();
    }
  }

  /**
   * SIGSTOP, followed by SIGCONT after this many milliseconds.
   *
   * @param withMachine whether the machine sleeps too, which stops the monotonic clock
   */
  public void pause(long millis, boolean withMachine) {
    if (dead || paused) {
      return;
    }
    trace.say(name, "is stopped for %d ms", millis);
    paused = true;
    disturbed(timeline.now() + millis * 1000);
    timeline.in(millis * 1000, () -> resume(withMachine ? millis * 1000 : 0));
  }

  /** Cuts it off from all tables for this many milliseconds; it lives on. */
  public void cutOff(long millis) {
    trace.say(name, "reaches no table for %d ms", millis);
    cutOffUntil = Math.max(cutOffUntil, timeline.now() + millis * 1000);
    disturbed(cutOffUntil);
  }

  /** Records that, until this time in microseconds, others may take it for dead. */
  public void disturbed(long untilMicros) {
    disturbedUntil = Math.max(disturbedUntil, untilMicros);
  }

  /**
   * Records that it leaves.
   *
   * @param endsAtMicros when it ends the tasks that still run
   */
  public void leaves(long endsAtMicros) {
    endsTasksAt = Math.min(endsTasksAt, endsAtMicros);
  }

  /** Whether it is dead, or has been stopped, cut off or leaving since that time. */
  public boolean disturbedSince(long micros) {
    return endsTasksAt < Long.MAX_VALUE || harmedSince(micros);
  }

  /**
   * Whether its tasks may have been interrupted: it is dead, or has been stopped or cut off since
   * that time, or is leaving and has ended what still ran.
   */
  public boolean harmedSince(long micros) {
    return dead || disturbedUntil >= micros || timeline.now() >= endsTasksAt;
  }

  /** Whether it is cut off from all tables now. */
  public boolean cutOff() {
    return timeline.now() < cutOffUntil;
  }

  /** Cuts it off from all queues for this many milliseconds; it lives on. */
  public void cutOffFromQueues(long millis) {
    trace.say(name, "reaches no queue for %d ms", millis);
    noQueueUntil = Math.max(noQueueUntil, timeline.now() + millis * 1000);
    disturbed(noQueueUntil);
  }

  /** Whether it is cut off from all queues now. */
  public boolean reachesNoQueue() {
    return timeline.now() < noQueueUntil;
  }

  private void resume(long suspended) {
    paused = false;
    suspendedMicros += suspended;
    if (dead) {
      return;
    }
    trace.say(name, "goes on");
    onResume.run();
    List<Runnable> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(this::inside);
  }
}
