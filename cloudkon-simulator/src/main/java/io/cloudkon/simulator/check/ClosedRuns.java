package io.cloudkon.simulator.check;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import java.util.HashMap;
import java.util.Map;

/**
 * Tracks which runs are cancelled or ended. Checks that workers learn of it: they start nothing of
 * such a run and end what runs, unless they were stopped or cut off.
 */
public final class ClosedRuns {
  /** For how long a worker relies on its last read of a run, in microseconds. */
  private static final long FRESH = 5_000_000;

  /** The time after which a worker must know: it relies on one read and makes another. */
  private static final long KNOWN = FRESH + 5_000_000;

  private final Map<String, Long> closedAt = new HashMap<>();

  /** Records that a run's entry was written. */
  void written(RunEntry entry, long micros) {
    if (entry.state() == RunEntry.State.OPEN) {
      closedAt.remove(entry.run());
    } else {
      closedAt.putIfAbsent(entry.run(), micros);
    }
  }

  /**
   * Checks that a task may start, or may have run until now.
   *
   * @param received when the worker received the bundle, in microseconds
   */
  public void runs(SimProcess process, SimRun run, int ordinal, long received, long now) {
    Long closed = closedAt.isEmpty() ? null : closedAt.get(run.id());
    if (closed == null) {
      return;
    }
    long since = Math.max(closed, received);
    Violation.unless(
        now - since <= KNOWN || process.harmedSince(since - FRESH),
        "task %d of run %s runs on %s %d ms after the run was closed, and its bundle is there"
            + " since %d ms",
        ordinal,
        run,
        process.name(),
        (now - closed) / 1000,
        (now - received) / 1000);
  }
}
