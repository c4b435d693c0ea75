package io.cloudkon.core.faults;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A worker's process: lives, is stopped for a while, or dies at an effect; with clocks of its own.
 */
final class Lifeline {
  private final World world;
  private final String name;
  private final CrashPoint crash;
  private final long skew;
  private final List<Runnable> waiting = new ArrayList<>();
  private long suspended;
  private int effects;
  private boolean dead;
  private boolean paused;
  private Runnable onStop = () -> {};
  private Runnable onResume = () -> {};

  Lifeline(World world, String name, CrashPoint crash, long skew) {
    this.world = world;
    this.name = name;
    this.crash = crash;
    this.skew = skew;
  }

  /** Called when it dies, or is stopped at its crash point. */
  void onStop(Runnable what) {
    onStop = what;
  }

  /** What it does first when it goes on. */
  void onResume(Runnable what) {
    onResume = what;
  }

  boolean dead() {
    return dead;
  }

  boolean paused() {
    return paused;
  }

  /** Effects so far. */
  int effects() {
    return effects;
  }

  Moment now() {
    return new Moment(world.agenda.now() - suspended, world.time.serviceMillis() + skew);
  }

  /** Something inside the process, a while from now. */
  void in(long millis, Runnable what) {
    world.agenda.in(millis, () -> inside(what));
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

  /** A call on its way to a service: it may have left a process that is stopped now. */
  void call(String what, Supplier<Runnable> effect) {
    world.agenda.in(
        world.latency(),
        () -> {
          boolean left = world.random.nextBoolean();
          if (paused && left && !dead) {
            effect(what, effect);
          } else {
            inside(() -> effect(what, effect));
          }
        });
  }

  /** An effect: where a process can die just before or just after. */
  void effect(String what, Supplier<Runnable> effect) {
    if (dead) {
      return;
    }
    effects++;
    boolean here = effects == crash.effect();
    if (here && !crash.after()) {
      stopHere("before", what);
      inside(() -> carryOut(what, effect).run());
      return;
    }
    Runnable answer = carryOut(what, effect);
    if (here) {
      stopHere("after", what);
    }
    inside(answer);
  }

  private Runnable carryOut(String what, Supplier<Runnable> effect) {
    world.trace("%s effect %d: %s", name, effects, what);
    return effect.get();
  }

  private void stopHere(String when, String what) {
    world.trace("%s stops just %s: %s", name, when, what);
    if (crash.pause() == 0) {
      die();
    } else {
      onStop.run();
      pause(crash.pause(), world.random.nextBoolean());
    }
  }

  void die() {
    if (!dead) {
      dead = true;
      onStop.run();
    }
  }

  /**
   * Stops the process.
   *
   * @param withMachine whether its machine sleeps too, and with it the monotonic clock
   */
  void pause(long millis, boolean withMachine) {
    if (dead || paused) {
      return;
    }
    world.trace("%s is stopped for %d ms", name, millis);
    paused = true;
    world.agenda.in(
        millis,
        () -> {
          paused = false;
          if (withMachine) {
            suspended += millis;
          }
          if (!dead) {
            world.trace("%s goes on", name);
            onResume.run();
          }
          List<Runnable> all = List.copyOf(waiting);
          waiting.clear();
          all.forEach(this::inside);
        });
  }
}
