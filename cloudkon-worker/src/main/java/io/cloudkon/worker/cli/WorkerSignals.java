package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Signals;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Ctrl-C and SIGTERM of a worker. The first one lets it drain; Ctrl-C again ends the process at
 * once, and what it had in hand runs elsewhere when its leases are over. Thread safe.
 */
final class WorkerSignals {
  /** What the first Ctrl-C says besides; empty where it was a SIGTERM. */
  static final String AGAIN = "; press Ctrl-C again to end at once";

  private final Consumer<String> drain;
  private final Runnable exit;
  private final Runnable halt;
  private final AtomicBoolean pressed = new AtomicBoolean();

  /**
   * Listens to nothing yet.
   *
   * @param drain drains the worker, and returns when it has ended; told what to say besides
   * @param exit ends the process in good order
   * @param halt ends it at once
   */
  WorkerSignals(Consumer<String> drain, Runnable exit, Runnable halt) {
    this.drain = drain;
    this.exit = exit;
    this.halt = halt;
  }

  /** Listens from now on. */
  static void install(Consumer<String> drain) {
    WorkerSignals signals =
        new WorkerSignals(
            drain,
            () -> System.exit(ExitCodes.INTERRUPTED),
            () -> Runtime.getRuntime().halt(ExitCodes.INTERRUPTED));
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("cloudkon-drain").unstarted(signals::ends));
    var unused = Signals.onCtrlC(signals::pressed);
  }

  /** The process is about to end, by whatever means. */
  void ends() {
    drain.accept(pressed.get() ? AGAIN : "");
  }

  /** Somebody pressed Ctrl-C. */
  void pressed() {
    if (!pressed.getAndSet(true)) {
      exit.run();
      return;
    }
    System.err.println(
        "cloudkon worker: interrupted again; what it had in hand runs elsewhere when its leases are"
            + " over");
    halt.run();
  }
}
