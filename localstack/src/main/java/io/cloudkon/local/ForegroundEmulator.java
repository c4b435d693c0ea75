package io.cloudkon.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Runs the emulator in this process until a signal arrives or standard input ends. */
final class ForegroundEmulator {
  private final PrintWriter out;
  private final PrintWriter err;

  ForegroundEmulator(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Prints the export lines when the services answer. Returns only at the end of standard input.
   */
  void run(LocalCommand options, StateDirectory state) {
    QuietLogging.install();
    StateLock alive = options.asBackground ? leaveShell(state) : null;
    Emulator emulator =
        Emulator.start(options.ports(), EmulatedLatency.of(options.latency), err::println);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(emulator, state, alive), "cloudkon-local-shutdown"));
    RunningEmulator running =
        new RunningEmulator(ProcessHandle.current().pid(), emulator.endpoints(), emulator.key());
    out.println(running.exportLines());
    if (options.asBackground) {
      state.remember(running);
    }
    String end =
        options.asBackground
            ? CommandName.asCalled() + " local stop"
            : options.untilStdinCloses ? "the end of standard input" : "Ctrl-C";
    err.println("The emulator runs until " + end + ".");
    await(options.untilStdinCloses);
  }

  private static StateLock leaveShell(StateDirectory state) {
    OwnSession.enter();
    return state.holdAlive();
  }

  private static void end(Emulator emulator, StateDirectory state, @Nullable StateLock alive) {
    emulator.close();
    if (alive != null) {
      state.forget();
      alive.close();
    }
  }

  private void await(boolean untilStdinCloses) {
    try {
      if (untilStdinCloses) {
        System.in.transferTo(OutputStream.nullOutputStream());
      } else {
        new CountDownLatch(1).await(); // a signal ends the JVM
      }
    } catch (IOException e) {
      err.println("Standard input cannot be read: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
