package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.SignalPresses;
import io.cloudkon.core.cli.Signals;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Handles Ctrl-C and SIGTERM of a worker. The first signal makes it drain. A repeated one ends the
 * process at once, and what it had in hand runs elsewhere when its leases are over. Signals of one
 * kind at practically the same time count as one, see {@link SignalPresses}. Thread safe.
 */
final class WorkerSignals {
  /** The hint after the first Ctrl-C; not shown after a SIGTERM. */
  static final String AGAIN = "; press Ctrl-C again to end immediately";

  /** The exit code that a shell reports for a process that died of SIGTERM. */
  static final int TERMINATED = 143;

  private final Consumer<String> drain;
  private final IntConsumer exit;
  private final IntConsumer halt;
  private final SignalPresses presses;
  private final SignalPresses terminations;
  private final AtomicBoolean pressed = new AtomicBoolean();
  private final AtomicBoolean terminated = new AtomicBoolean();

  /**
   * Handles no signals yet.
   *
   * @param drain drains the worker and returns when it has ended; receives the hint or an empty
   *     text
   * @param exit ends the process in good order, with an exit code
   * @param halt ends the process at once, with an exit code
   * @param nanos the time in nanoseconds, from any origin; it never goes back
   */
  WorkerSignals(Consumer<String> drain, IntConsumer exit, IntConsumer halt, LongSupplier nanos) {
    this.drain = drain;
    this.exit = exit;
    this.halt = halt;
    this.presses = new SignalPresses(nanos);
    this.terminations = new SignalPresses(nanos);
  }

  /** Handles signals from now on. */
  static void install(Consumer<String> drain) {
    WorkerSignals signals =
        new WorkerSignals(
            drain, System::exit, code -> Runtime.getRuntime().halt(code), System::nanoTime);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("cloudkon-drain").unstarted(signals::ends));
    var _ = Signals.onCtrlC(signals::pressed);
    var _ = Signals.onTerminate(signals::terminated);
  }

  /** Handles the end of the process, whatever caused it. */
  void ends() {
    drain.accept(pressed.get() ? AGAIN : "");
  }

  /** Handles a Ctrl-C. */
  void pressed() {
    told(presses, pressed, ExitCodes.INTERRUPTED);
  }

  /** Handles a SIGTERM. */
  void terminated() {
    told(terminations, terminated, TERMINATED);
  }

  private void told(SignalPresses signals, AtomicBoolean before, int code) {
    if (!signals.begin()) {
      return;
    }
    if (!before.getAndSet(true)) {
      exit.accept(code);
      return;
    }
    System.err.println(
        "cloudkon worker: interrupted again; other workers take over its bundles when the leases"
            + " expire");
    halt.accept(code);
  }
}
