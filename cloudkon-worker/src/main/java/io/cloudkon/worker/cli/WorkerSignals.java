package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Signals;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Ctrl-C and SIGTERM of a worker. The first one lets it drain; the same again ends the process at
 * once, and what it had in hand runs elsewhere when its leases are over. Thread safe.
 */
final class WorkerSignals {
  /** What the first Ctrl-C says besides; empty where it was a SIGTERM. */
  static final String AGAIN = "; press Ctrl-C again to end at once";

  /** As a shell has it of a process that died of SIGTERM. */
  static final int TERMINATED = 143;

  private final Consumer<String> drain;
  private final IntConsumer exit;
  private final IntConsumer halt;
  private final AtomicBoolean pressed = new AtomicBoolean();
  private final AtomicBoolean terminated = new AtomicBoolean();

  /**
   * Listens to nothing yet.
   *
   * @param drain drains the worker, and returns when it has ended; told what to say besides
   * @param exit ends the process in good order, with an exit code
   * @param halt ends it at once
   */
  WorkerSignals(Consumer<String> drain, IntConsumer exit, IntConsumer halt) {
    this.drain = drain;
    this.exit = exit;
    this.halt = halt;
  }

  /** Listens from now on. */
  static void install(Consumer<String> drain) {
    WorkerSignals signals =
        new WorkerSignals(drain, System::exit, code -> Runtime.getRuntime().halt(code));
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("cloudkon-drain").unstarted(signals::ends));
    var _ = Signals.onCtrlC(signals::pressed);
    var _ = Signals.onTerminate(signals::terminated);
  }

  /** The process is about to end, by whatever means. */
  void ends() {
    drain.accept(pressed.get() ? AGAIN : "");
  }

  /** Somebody pressed Ctrl-C. */
  void pressed() {
    told(pressed, ExitCodes.INTERRUPTED);
  }

  /** A SIGTERM came. */
  void terminated() {
    told(terminated, TERMINATED);
  }

  private void told(AtomicBoolean before, int code) {
    if (!before.getAndSet(true)) {
      exit.accept(code);
      return;
    }
    System.err.println(
        "cloudkon worker: interrupted again; what it had in hand runs elsewhere when its leases are"
            + " over");
    halt.accept(code);
  }
}
