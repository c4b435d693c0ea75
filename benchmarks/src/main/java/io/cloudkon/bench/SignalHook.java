package io.cloudkon.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ends everything that a benchmark has started, and removes its files, if a signal ends this
 * process while the hook is open.
 */
final class SignalHook implements AutoCloseable {
  private static final int ATTEMPTS = 10;

  private final Path folder;
  private final Thread hook = Thread.ofPlatform().name("end-benchmark").unstarted(this::end);

  private SignalHook(Path folder) {
    this.folder = folder;
  }

  /**
   * Installs the hook.
   *
   * @param folder the scratch folder of the benchmark
   */
  static SignalHook install(Path folder) {
    SignalHook installed = new SignalHook(folder);
    Runtime.getRuntime().addShutdownHook(installed.hook);
    return installed;
  }

  private void end() {
    BenchProcesses.end();
    System.err.println("cloudkon bench: ended early, and everything that it had started with it");
    removeFolder();
  }

  /** The benchmark's own thread may be removing it, too. */
  private void removeFolder() {
    String why = "";
    for (int i = 0; i < ATTEMPTS && Files.exists(folder); i++) {
      try {
        Checkout.remove(folder);
      } catch (IOException | UncheckedIOException e) {
        why = e.toString();
      }
    }
    if (Files.exists(folder)) {
      System.err.printf("cloudkon bench: %s cannot be removed: %s%n", folder, why);
    }
  }

  @Override
  public void close() {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs by now, and ends what is ended here as well.
      return;
    }
  }
}
