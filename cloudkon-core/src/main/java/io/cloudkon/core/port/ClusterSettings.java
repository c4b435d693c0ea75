package io.cloudkon.core.port;

/**
 * Settings of a cluster that every client obeys. Immutable.
 *
 * @param fair whether each client keeps only a little work in the queue, so that a client with a
 *     lot of work does not delay later ones ({@code setup --fair})
 */
public record ClusterSettings(boolean fair) {
  /** The settings of a new cluster: clients send everything at once. */
  public static final ClusterSettings DEFAULT = new ClusterSettings(false);
}
