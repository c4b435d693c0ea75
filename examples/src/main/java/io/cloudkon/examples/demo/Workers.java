package io.cloudkon.examples.demo;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The demo's worker processes. Not thread safe. */
final class Workers {
  /** Short, so that what a dead worker held is soon done by others. */
  static final String LEASE = "6s";

  static final int COUNT = 3;
  static final int SLOTS = 2;

  private static final Duration READY = Duration.ofSeconds(60);
  private static final long DRAIN_SECONDS = 20;

  private final List<Child> workers = new ArrayList<>();

  /** Starts them, and returns when all are ready. */
  static Workers start(Children children, Installation installation, String queue)
      throws InterruptedException {
    Workers all = new Workers();
    List<String> command =
        installation.worker(
            "-s",
            queue,
            "-t",
            Integer.toString(SLOTS),
            "--lease",
            LEASE,
            "--clock-margin",
            "1s",
            "--heartbeat",
            "1s",
            "--handlers",
            installation.handlers().toString(),
            // should the demo itself be killed, which no program can help
            "--exit-when-idle",
            "2m");
    for (int i = 1; i <= COUNT; i++) {
      // One after the other: three Javas that start at once on two cores keep each other waiting.
      Child worker = children.start("worker " + i, command);
      worker.awaitLine(line -> line.contains("slots on queue"), READY);
      all.workers.add(worker);
    }
    return all;
  }

  /** The process ids, as people write a list. */
  String pids() {
    List<String> pids = workers.stream().map(w -> Long.toString(w.process().pid())).toList();
    return String.join(", ", pids);
  }

  /** The one that is to die. */
  Child victim() {
    return workers.get(1);
  }

  /** SIGKILL: nothing is settled, nothing is said. */
  void kill(Child worker) throws InterruptedException {
    worker.process().destroyForcibly();
    worker.awaitEnd();
    workers.remove(worker);
  }

  /**
   * Asks them to end, and waits until they have.
   *
   * @throws CloudKonException if one has ended before, or does not end
   */
  void stop() throws InterruptedException {
    for (Child worker : workers) {
      if (!worker.process().isAlive()) {
        throw new WrongException(
            "%s has ended by itself; it said: %s".formatted(worker.name(), worker.said()));
      }
      worker.process().destroy();
    }
    for (Child worker : workers) {
      if (!worker.process().waitFor(DRAIN_SECONDS, TimeUnit.SECONDS)) {
        throw new WrongException(
            "%s does not end; it said: %s".formatted(worker.name(), worker.said()));
      }
    }
    workers.clear();
  }
}
