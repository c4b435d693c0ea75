package io.cloudkon.core.model;

import java.util.Locale;

/**
 * How large a part of a fair cluster a client asks for; chosen per client with {@code --priority}.
 */
public enum Priority {
  /** A quarter of the normal part. */
  LOW(0.25),
  /** The default. */
  NORMAL(1),
  /** Four times the normal part. */
  HIGH(4);

  private final double weight;

  Priority(double weight) {
    this.weight = weight;
  }

  /** Its part, where {@link #NORMAL} has 1. */
  public double weight() {
    return weight;
  }

  /** As written on the command line: {@code low}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
