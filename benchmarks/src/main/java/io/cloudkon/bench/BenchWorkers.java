package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The worker processes of a cluster. Not thread safe. */
final class BenchWorkers {
  private final List<Program> workers = new ArrayList<>();
  private boolean ended;

  void add(Program worker) {
    workers.add(worker);
  }

  List<Program> all() {
    return List.copyOf(workers);
  }

  /**
   * Checks that all workers live. The others take over the tasks of one that died, so a run
   * succeeds without it, but its figures are not those of as many workers.
   *
   * @throws CloudKonException if one has died; with its last output
   */
  void check() throws IOException {
    for (Program worker : workers) {
      if (!ended && worker.ended()) {
        throw new CloudKonException(
            "%s of %d died, so nothing was measured with %d workers; it said:%n%s"
                .formatted(worker.name(), workers.size(), workers.size(), worker.output()));
      }
    }
  }

  /** Drains all workers at the same time; their measurements are available afterwards. */
  void end() throws InterruptedException {
    ended = true;
    workers.forEach(Program::signal);
    try {
      for (Program worker : workers) {
        worker.close();
      }
    } finally {
      workers.forEach(Program::kill); // if this thread was interrupted
    }
  }
}
