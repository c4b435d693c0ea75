package io.cloudkon.core.model;

import java.util.Locale;

/** How often a task may start; chosen per run with {@code --consistency}. */
public enum Consistency {
  /**
   * One result for each task; a task starts again only if its worker died or lost its lease first.
   * The default.
   */
  EXACTLY_ONCE,
  /**
   * No task starts twice, whatever dies; a task that started and was not recorded is {@code LOST}.
   */
  AT_MOST_ONCE,
  /** There are no claims and tasks may run twice; one result is shown for each task. */
  AT_LEAST_ONCE;

  /** The name on the command line, such as {@code exactly-once}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether bundles are guarded by claims. */
  public boolean claims() {
    return this != AT_LEAST_ONCE;
  }
}
