package io.cloudkon.simulator.check;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks the tasks that run, in the modes with claims. Checks that no task starts while it still
 * runs elsewhere: whoever loses a claim must have ended its tasks before another one gets it.
 */
public final class TasksUnderWay {
  private final Map<Long, List<Runner>> running = new HashMap<>();

  private record Runner(SimProcess process, int attempt) {
    /** Whether it runs. A stopped process runs nothing, because its guard ends its commands. */
    boolean runs() {
      return !process.dead() && !process.paused();
    }
  }

  /** Records and checks the start of a task. */
  public void starts(SimProcess process, Request of, int position, int attempt) {
    if (!of.run().consistency().claims()) {
      return;
    }
    List<Runner> all = running.computeIfAbsent(key(of, position), key -> new ArrayList<>(1));
    for (Runner other : all) {
      if (other.runs()) {
        throw new Violation(
            "task %d of %s starts on %s under attempt %d while it runs on %s under attempt %d",
            of.bundle().tasks().get(position).ordinal(),
            of,
            process.name(),
            attempt,
            other.process().name(),
            other.attempt());
      }
    }
    all.removeIf(other -> other.process().dead());
    all.add(new Runner(process, attempt));
  }

  /** Records that a task runs no longer: it has ended, or was killed. */
  public void ends(SimProcess process, Request of, int position) {
    running.computeIfPresent(
        key(of, position),
        (key, all) -> {
          all.removeIf(one -> one.process() == process);
          return all.isEmpty() ? null : all;
        });
  }

  private static long key(Request of, int position) {
    return ((long) of.run().index() << Integer.SIZE) | of.bundle().tasks().get(position).ordinal();
  }
}
