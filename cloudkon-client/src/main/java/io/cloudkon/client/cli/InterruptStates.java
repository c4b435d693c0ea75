package io.cloudkon.client.cli;

import io.cloudkon.core.cli.SignalPresses;
import java.util.function.LongSupplier;

/**
 * The states through which Ctrl-C takes a client. Signals at practically the same time are one
 * press, see {@link SignalPresses}. Thread safe.
 */
final class InterruptStates {
  private enum State {
    RUNNING,
    /** The first Ctrl-C was pressed; a second one cancels the run. */
    ASKED,
    LEAVING,
    CANCELLING
  }

  /** The step to which a signal leads the client. */
  enum Step {
    /** Stop sending, and leave unless a second Ctrl-C cancels the run. */
    ASK,
    LEAVE,
    CANCEL,
    /** End the process at once. */
    HALT,
    /** The signal belongs to the press before it. */
    NOTHING
  }

  private final SignalPresses presses;
  private State state = State.RUNNING;

  /**
   * The state of a client that no signal has reached.
   *
   * @param nanos the time in nanoseconds, from any origin; it never goes back
   */
  InterruptStates(LongSupplier nanos) {
    this.presses = new SignalPresses(nanos);
  }

  /**
   * The step to which a signal leads.
   *
   * @param over whether the run is over; what follows it has no end to wait for
   * @param asks whether a second Ctrl-C can cancel the run
   */
  synchronized Step signalled(boolean over, boolean asks) {
    if (!presses.begin()) {
      return Step.NOTHING;
    }
    if (over) {
      return Step.HALT;
    }
    return switch (state) {
      case RUNNING -> asks ? to(State.ASKED, Step.ASK) : to(State.LEAVING, Step.LEAVE);
      case ASKED -> to(State.CANCELLING, Step.CANCEL);
      case LEAVING, CANCELLING -> Step.HALT;
    };
  }

  private Step to(State next, Step step) {
    state = next;
    return step;
  }

  /** Whether Ctrl-C was pressed while the run went on. */
  synchronized boolean pressedOnce() {
    return state != State.RUNNING;
  }

  /** Leaves, unless a second Ctrl-C has come; returns whether the client leaves. */
  synchronized boolean leaves() {
    if (state == State.ASKED) {
      state = State.LEAVING;
    }
    return state == State.LEAVING;
  }
}
