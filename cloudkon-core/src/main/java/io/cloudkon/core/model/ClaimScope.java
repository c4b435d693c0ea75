package io.cloudkon.core.model;

import java.util.Locale;

/** The scope of one claim; chosen per run with {@code --claim}. */
public enum ClaimScope {
  /** One claim per bundle: two writes, however many tasks it has. The default. */
  BUNDLE,
  /**
   * One claim per task, as in the published system: two writes per task, no children. The message
   * is deleted when all tasks are done.
   */
  TASK;

  /** The name on the command line, such as {@code bundle}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
