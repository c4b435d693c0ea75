package io.cloudkon.client.explain;

import java.util.List;

/** Turns facts about a run or task into lines that say why it waits. Stateless; makes no calls. */
public final class Explanation {
  private Explanation() {}

  /** Says why a run still waits, or that it does not. */
  public static List<String> of(RunSnapshot run) {
    return new RunReasons(run).lines();
  }

  /** Says why a task still waits, or how it finished. */
  public static List<String> of(RunSnapshot run, TaskFacts task) {
    return new TaskReasons(run, task).lines();
  }
}
