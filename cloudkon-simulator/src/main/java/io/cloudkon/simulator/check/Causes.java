package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which process started each task, and in at-most-once which one recorded its start. Checks
 * that a task starts anew, or is reported LOST, only if something happened to that process: it
 * died, was stopped, cut off or sick, or left and had ended its tasks.
 */
public final class Causes {
  /** How long before the start something may have happened, in microseconds: one lease. */
  private static final long BEFORE = 15_000_000;

  private final Map<String, SimProcess> processes = new HashMap<>();
  private final Map<Long, Began> began = new HashMap<>();

  private record Began(SimProcess process, int attempt, long since) {
    boolean harmed() {
      return process.harmedSince(since);
    }
  }

  /** Records that a process begins. */
  void begins(SimProcess process) {
    processes.put(process.name(), process);
  }

  /** Whether the process of this name lives. */
  boolean lives(String process) {
    SimProcess found = processes.get(process);
    return found != null && !found.dead();
  }

  /** Records and checks the start of a task. */
  void started(String worker, Request of, int position, int attempt) {
    SimRun run = of.run();
    Task task = of.bundle().tasks().get(position);
    if (run.consistency() != Consistency.EXACTLY_ONCE || task.work() instanceof Work.Hpc) {
      return;
    }
    int ordinal = task.ordinal();
    Began last = began.put(key(run, ordinal), began(worker, attempt));
    if (last != null && !last.harmed()) {
      throw new Violation(
          "task %d of run %s starts anew on %s under attempt %d, and nothing happened to %s, which"
              + " started it under attempt %d",
          ordinal, run, worker, attempt, last.process().name(), last.attempt());
    }
  }

  /** Records that a try of a task failed, so that it may start anew. */
  public void failed(SimRun run, int ordinal) {
    began.remove(key(run, ordinal));
  }

  /**
   * Records a write to a claim: which tasks are over, and in at-most-once which starts it has
   * recorded or taken back.
   */
  void claimed(BundleFacts of, @Nullable Claim before, Claim claim) {
    SimRun run = of.of.run();
    if (claim.state() == ClaimState.DONE) {
      claim.done().stream().forEach(position -> began.remove(key(run, of.ordinal(position))));
      return;
    }
    if (run.consistency() != Consistency.AT_MOST_ONCE || jobOrOnce(of)) {
      return;
    }
    Positions was = before == null ? Positions.none() : before.started();
    if (was.equals(claim.started())) {
      return;
    }
    Began by = began(claim.owner(), claim.attempt());
    claim.started().minus(was).stream()
        .forEach(position -> began.put(key(run, of.ordinal(position)), by));
    was.minus(claim.started()).stream()
        .forEach(position -> began.remove(key(run, of.ordinal(position))));
  }

  /**
   * Checks the tasks that these results of a worker report as LOST.
   *
   * @param of null if the bundle is forgotten
   */
  void told(@Nullable BundleFacts of, ResultMessage results) {
    SimRun run = results.of().run();
    if (of == null || run.consistency() != Consistency.AT_MOST_ONCE || jobOrOnce(of)) {
      return;
    }
    for (int i = 0; i < results.ordinals().length; i++) {
      if (results.statuses()[i] == TaskStatus.LOST) {
        int ordinal = results.ordinals()[i];
        Began last = began.get(key(run, ordinal));
        if (last != null && !last.harmed()) {
          throw new Violation(
              "%s reports task %d of run %s as LOST, and nothing happened to %s, which recorded its"
                  + " start under attempt %d",
              results.worker(), ordinal, run, last.process().name(), last.attempt());
        }
      }
    }
  }

  /** Whether others run its ranks, or its claim is written only once. */
  private static boolean jobOrOnce(BundleFacts of) {
    return of.endUnwritten() || of.of.bundle().tasks().getFirst().work() instanceof Work.Hpc;
  }

  private Began began(String name, int attempt) {
    SimProcess found = processes.get(name);
    if (found == null) {
      throw new Violation("process %s never began", name);
    }
    return new Began(found, attempt, found.micros() - BEFORE);
  }

  private static long key(SimRun run, int ordinal) {
    return ((long) run.index() << Integer.SIZE) | ordinal;
  }
}
