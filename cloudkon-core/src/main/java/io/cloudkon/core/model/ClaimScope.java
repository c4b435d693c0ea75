package io.cloudkon.core.model;

import java.util.Locale;

/** The scope of one claim; chosen per run with {@code --claim}. */
public enum ClaimScope {
  /** A bundle: two writes, however many tasks it has. The default. */
  BUNDLE,
  /** One task: two writes each, no children. The message goes when all are done. */
  TASK,
  /**
   * One task, as published: one write when it starts and none when it ends, so that a later copy of
   * its message is reported LOST. Nothing is received or claimed before a slot is free for it. For
   * comparison only ({@code --preset original}); never in exactly-once.
   */
  ONCE;

  /**
   * The published system's in a run of this consistency. In exactly-once an end that is not written
   * would let a task that has ended run again, so there it is {@link #TASK}. In at-least-once,
   * which has no claims, {@link #ONCE} still says when a worker receives.
   */
  public static ClaimScope asPublished(Consistency consistency) {
    return consistency == Consistency.EXACTLY_ONCE ? TASK : ONCE;
  }

  /** As written on the command line: {@code bundle}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether each task has a claim of its own, where there are claims. */
  public boolean perTask() {
    return this != BUNDLE;
  }
}
