package io.cloudkon.worker.execute;

import static org.awaitility.Awaitility.await;

import io.cloudkon.worker.execute.guard.Guards;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/**
 * Workers that start commands as fast as they can, and are hit in the midst of it: from a moment
 * before the hit on, commands stay for ever, so that whatever is being started then is found if it
 * survives.
 */
final class WorkerBurst {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(6);
  private static final int WARM = 40;

  private final String tag = "cloudkon-" + UUID.randomUUID();
  private final Random random = new Random(15);
  private final Guards guards;
  private final Path folder;
  private final Path stay;

  WorkerBurst(Guards guards, Path folder) {
    this.guards = guards;
    this.folder = folder;
    this.stay = folder.resolve("stay");
  }

  /** Kills a worker, again and again; returns when nobody is left each time. */
  void kill(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      Files.deleteIfExists(stay);
      try (WorkerProcess worker = WorkerProcess.start(guards, folder, LONG, line(), 0)) {
        awaitEnds(worker, WARM);
        Files.createFile(stay);
        passSomeTime();

        worker.jvm.destroyForcibly().waitFor();

        // what has not become a command yet still has the worker's own command line
        soon().until(() -> tagged(0) == 0);
      }
    }
  }

  /** Freezes one worker, again and again, until nobody is left, and lets it go on. */
  void freeze(int times) throws Exception {
    try (WorkerProcess worker = WorkerProcess.start(guards, folder, SHORT, line(), 0)) {
      for (int i = 0; i < times; i++) {
        awaitEnds(worker, WARM);
        Files.createFile(stay);
        passSomeTime();

        Processes.signal("STOP", worker.jvm.pid());

        soon().until(() -> tagged(worker.jvm.pid()) == 0);
        Files.delete(stay);
        Processes.signal("CONT", worker.jvm.pid());
      }
      awaitEnds(worker, WARM);
      worker.jvm.destroyForcibly().waitFor();
      soon().until(() -> tagged(0) == 0);
    }
  }

  private String line() {
    return ": %s; [ -e %s ] || exit 0; sleep 1000; true".formatted(tag, stay);
  }

  private void passSomeTime() {
    long until = System.nanoTime() + random.nextLong(LATEST_NANOS);
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  private static void awaitEnds(WorkerProcess worker, int more) throws IOException {
    long before = succeeded(worker);
    soon().until(() -> succeeded(worker) >= before + more);
  }

  private static long succeeded(WorkerProcess worker) throws IOException {
    if (!Files.exists(worker.ends())) {
      return 0;
    }
    try (var lines = Files.lines(worker.ends())) {
      return lines.filter("SUCCEEDED"::equals).count();
    }
  }

  /** How many have the tag in their command line, without this one. */
  private long tagged(long without) {
    return ProcessHandle.allProcesses()
        .filter(p -> p.pid() != without)
        .filter(p -> p.info().commandLine().orElse("").contains(tag))
        .filter(p -> Processes.runs(p.pid()))
        .count();
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
  }
}
