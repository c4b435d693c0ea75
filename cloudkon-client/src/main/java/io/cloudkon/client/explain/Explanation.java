package io.cloudkon.client.explain;

import java.util.List;

/** Why something still waits: facts in, lines for a person out. Stateless; asks nobody. */
public final class Explanation {
  private Explanation() {}

  /** Why a run still waits, or that it does not. */
  public static List<String> of(RunFacts run) {
    return new RunReasons(run).lines();
  }

  /** Why a task still waits, or how it finished. */
  public static List<String> of(RunFacts run, TaskFacts task) {
    return new TaskReasons(run, task).lines();
  }
}
