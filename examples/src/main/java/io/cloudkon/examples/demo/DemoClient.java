package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One run of the client, in its own process, which shows its own progress and report. */
final class DemoClient {
  private static final long LOOK_EVERY_MILLIS = 50;
  private static final long LIMIT_SECONDS = 180;

  private DemoClient() {}

  /** Watches the run while it goes on. */
  interface Watch {
    /** Called several times a second with how many results are on disk. */
    void results(long soFar) throws InterruptedException;
  }

  /**
   * Runs it to its end.
   *
   * @param folder where its results go
   * @throws WrongException if a task did not succeed
   */
  static DemoRunReport run(
      DemoChildren children, Installation installation, Path workload, Path folder, Watch watch)
      throws InterruptedException {
    Path results = folder.resolve("results.jsonl");
    forget(results);
    Process client =
        children.startInTheOpen(
            "the client",
            installation.client(
                "client",
                "-s",
                Demo.QUEUE,
                "-w",
                workload.toString(),
                "--out",
                folder.toString(),
                "--force"));
    ResultCounter counter = new ResultCounter(results);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!client.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      watch.results(counter.lines());
      if (System.nanoTime() > deadline) {
        throw new WrongException("the client did not end within %d s".formatted(LIMIT_SECONDS));
      }
    }
    if (client.exitValue() != 0) {
      throw new WrongException("the client ended with %d".formatted(client.exitValue()));
    }
    DemoRunReport report = DemoRunReport.read(folder);
    if (report.succeeded() != report.tasks()) {
      throw new WrongException(
          "%d of %d tasks succeeded".formatted(report.succeeded(), report.tasks()));
    }
    return report;
  }

  /** A former demo's results must not be taken for this one's. */
  private static void forget(Path results) {
    try {
      Files.deleteIfExists(results);
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be removed: %s".formatted(results, e), e);
    }
  }
}
