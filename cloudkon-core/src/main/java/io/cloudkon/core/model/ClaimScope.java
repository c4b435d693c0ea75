package io.cloudkon.core.model;

import java.util.Locale;

/** The scope of one claim; chosen per run with {@code --claim}. */
public enum ClaimScope {
  /** A bundle: two writes, however many tasks it has. The default. */
  BUNDLE,
  /** One task, as published: two writes each, no children. The message goes when all are done. */
  TASK;

  /** As written on the command line: {@code bundle}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
