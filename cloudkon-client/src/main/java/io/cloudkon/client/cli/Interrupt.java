package io.cloudkon.client.cli;

import io.cloudkon.core.cli.ExitCodes;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the run is interrupted, the command gets a few seconds to say what is
 * outstanding, then the process ends with 130. Closed when the run has ended by itself.
 */
final class Interrupt implements AutoCloseable {
  private static final long GRACE_SECONDS = 4;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;
  private volatile String outstanding = "what was sent goes on";

  private Interrupt(Runnable interrupt) {
    hook = Thread.ofPlatform().name("cloudkon-interrupt").unstarted(() -> interrupted(interrupt));
  }

  static Interrupt install(Runnable interrupt) {
    Interrupt installed = new Interrupt(interrupt);
    Runtime.getRuntime().addShutdownHook(installed.hook);
    return installed;
  }

  private void interrupted(Runnable interrupt) {
    interrupt.run();
    try {
      // Whether or not it has ended by then, a person waits no longer.
      var unused = ended.await(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.println("cloudkon client: interrupted: " + outstanding);
    System.err.flush();
    Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
  }

  /** What the last line is to say, should this be an interruption. */
  void outstanding(String what) {
    outstanding = what;
  }

  /** Returns only if the process was not interrupted: the hook speaks, and ends the process. */
  @Override
  public void close() throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      ended.countDown();
      hook.join();
    }
  }
}
