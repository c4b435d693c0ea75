package io.cloudkon.simulator.check;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tracks which processes take part in the last attempt at each job. Checks that an attempt is lost
 * only if one of them was dead, stopped, cut off or leaving, or calls between them got lost: a
 * worker that nobody can call is no such reason.
 */
public final class LostGangs {
  /** How long before the start one of them may have been disturbed, in microseconds. */
  private static final long BEFORE = 15_000_000;

  private final Map<String, Attempt> attempts = new HashMap<>();

  private record Attempt(List<SimProcess> gang, long since) {
    boolean disturbed() {
      return gang.stream().anyMatch(process -> process.disturbedSince(since));
    }
  }

  /**
   * Records that a job is started.
   *
   * @param gang the processes of its manager and its sub-workers
   */
  public void ordered(Request job, List<SimProcess> gang, long micros) {
    attempts.put(job.id(), new Attempt(List.copyOf(gang), micros - BEFORE));
  }

  /** Checks that an attempt may count toward the limit. */
  void counted(Request job, int attempt) {
    check(job, "attempt %d at %s counts".formatted(attempt, job));
  }

  /** Checks that the jobs that these results report as LOST may be. */
  void told(ResultMessage results) {
    for (TaskStatus status : results.statuses()) {
      if (status == TaskStatus.LOST) {
        check(results.of(), "%s is LOST".formatted(results.of()));
      }
    }
  }

  private void check(Request job, String what) {
    Attempt last = attempts.get(job.id());
    boolean gangs = job.bundle().tasks().getFirst().work() instanceof Work.Hpc;
    if (gangs && last != null && !last.disturbed()) {
      throw new Violation(
          "%s, and no worker of its gang %s was dead, stopped or cut off",
          what, last.gang().stream().map(SimProcess::name).toList());
    }
  }
}
