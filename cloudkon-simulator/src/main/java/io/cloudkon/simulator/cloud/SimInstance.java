package io.cloudkon.simulator.cloud;

import io.cloudkon.core.port.LaunchedInstance;
import java.util.ArrayList;
import java.util.List;

/** An instance from its launch until after its end. */
final class SimInstance {
  final LaunchedInstance what;
  final long listedFrom;
  final List<Booted> workers = new ArrayList<>();

  /** The number of boots still to come; an instance that never comes up always keeps one. */
  int toCome;

  boolean terminated;

  /** Whether it was terminated and has ended. */
  boolean gone;

  /**
   * The time at which it was first seen to have ended, by whoever looked, in microseconds; 0 while
   * it exists.
   */
  long goneSince;

  SimInstance(LaunchedInstance what, long listedFrom) {
    this.what = what;
    this.listedFrom = listedFrom;
  }

  boolean exists() {
    return !gone
        && workers.stream().noneMatch(Booted::ended)
        && (toCome > 0 || workers.stream().anyMatch(one -> !one.left()));
  }

  void look(long now) {
    goneSince = exists() ? 0 : goneSince == 0 ? now : goneSince;
  }

  LaunchedInstance listed() {
    LaunchedInstance.State state =
        !exists()
            ? LaunchedInstance.State.ENDED
            : terminated
                ? LaunchedInstance.State.ENDING
                : workers.isEmpty()
                    ? LaunchedInstance.State.PENDING
                    : LaunchedInstance.State.RUNNING;
    return new LaunchedInstance(
        what.id(), what.launch(), what.type(), what.lifeCycle(), state, what.launchedMillis());
  }

  /** Ends it, and the workers that still run on it. */
  void ends() {
    gone = true;
    workers.forEach(Booted::die);
  }
}
