package io.cloudkon.core.port;

/**
 * Settings of a cluster that every client obeys. Immutable.
 *
 * @param fair whether each client keeps only a little work in the queue, so that one with much to
 *     do does not hold up those that come after it ({@code setup --fair})
 */
public record ClusterSettings(boolean fair) {
  /** Those of a cluster that was never told otherwise: a client sends everything at once. */
  public static final ClusterSettings DEFAULT = new ClusterSettings(false);
}
