package io.cloudkon.core.model;

import java.util.Locale;

/** The scope of one claim; chosen per run with {@code --claim}. */
public enum ClaimScope {
  /** One claim per bundle: two writes, however many tasks it has. The default. */
  BUNDLE,
  /**
   * One claim per task: two writes per task, no children. The message is deleted when all tasks are
   * done.
   */
  TASK,
  /**
   * One claim per task, as in the published system: one write when the task starts and none when it
   * ends, so that a later copy of its message is reported LOST. Nothing is received or claimed
   * before a slot is free for it. For comparison only ({@code --preset original}); never in
   * exactly-once.
   */
  ONCE;

  /**
   * The scope of the published system for a run of this consistency. In exactly-once, an end that
   * is not written would let a finished task run again, so the scope is {@link #TASK}. In
   * at-least-once, which has no claims, {@link #ONCE} still determines when a worker receives.
   */
  public static ClaimScope asPublished(Consistency consistency) {
    return consistency == Consistency.EXACTLY_ONCE ? TASK : ONCE;
  }

  /** The name on the command line, such as {@code bundle}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether each task has a claim of its own, where there are claims. */
  public boolean perTask() {
    return this != BUNDLE;
  }

  /** Whether a worker can hand on a part of a bundle, which needs a claim of the whole. */
  public boolean handsOn(Consistency consistency) {
    return consistency.claims() && !perTask();
  }
}
