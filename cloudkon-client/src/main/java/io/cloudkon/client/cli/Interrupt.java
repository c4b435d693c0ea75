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
      if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("cloudkon client: interrupted; what was sent goes on");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    System.err.flush();
    Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs: it waits for the message below, which the command's caller prints too late.
      ended.countDown();
    }
  }
}
