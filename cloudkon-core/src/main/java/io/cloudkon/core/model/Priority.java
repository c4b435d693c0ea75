package io.cloudkon.core.model;

import java.util.Locale;

/**
 * The share of a fair cluster that a client requests; chosen per client with {@code --priority}.
 */
public enum Priority {
  /** A quarter of the normal share. */
  LOW(0.25),
  /** The default. */
  NORMAL(1),
  /** Four times the normal share. */
  HIGH(4);

  private final double weight;

  Priority(double weight) {
    this.weight = weight;
  }

  /** Its share relative to {@link #NORMAL}, which has 1. */
  public double weight() {
    return weight;
  }

  /** The name on the command line, such as {@code low}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
