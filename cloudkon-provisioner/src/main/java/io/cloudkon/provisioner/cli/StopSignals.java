package io.cloudkon.provisioner.cli;

import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Signals;
import io.cloudkon.provisioner.decide.ProvisionerService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles Ctrl-C and SIGTERM of a provisioner. The first signal stops the provisioner, and the
 * process waits until its workers have ended; a second Ctrl-C ends the process at once. To be
 * closed when the workers have ended. Thread safe.
 */
final class StopSignals implements AutoCloseable {
  private final ProvisionerService service;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean pressed = new AtomicBoolean();

  private StopSignals(ProvisionerService service) {
    this.service = service;
  }

  /** Installs the signal handlers. */
  static StopSignals install(ProvisionerService service) {
    StopSignals signals = new StopSignals(service);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("cloudkon-stop").unstarted(signals::terminated));
    var unused = Signals.onCtrlC(signals::pressed);
    return signals;
  }

  /** Whether Ctrl-C was pressed. */
  boolean interrupted() {
    return pressed.get();
  }

  private void pressed() {
    service.stop();
    if (pressed.getAndSet(true)) {
      System.err.println(
          "cloudkon provisioner: interrupted again; workers that still run end by themselves");
      Runtime.getRuntime().halt(ExitCodes.INTERRUPTED);
    }
  }

  /** Keeps the process alive until its workers have ended. */
  private void terminated() {
    service.stop();
    try {
      boolean unused = ended.await(2 * ProcessSetup.DRAIN_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
