package io.cloudkon.client.session;

import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.process.Launcher;
import java.util.Optional;

/**
 * Applies the cluster's fairness and the user's options for it to a run. Immutable.
 *
 * @param priority {@code --priority}, if given
 * @param before the priority that a resumed run had, if one was given; it has no effect in a
 *     cluster that is not fair any more
 * @param detach whether the client leaves after its last send
 */
public record Fairness(Optional<Priority> priority, Optional<Priority> before, boolean detach) {

  /** For a new run. */
  public Fairness(Optional<Priority> priority, boolean detach) {
    this(priority, Optional.empty(), detach);
  }

  /**
   * Checks the options for a run in this process, which no other client shares.
   *
   * @throws UsageException if a priority was given
   */
  public void checkLocal() {
    if (priority.isPresent()) {
      throw new UsageException(
          "--priority cannot be combined with -s LOCAL: no other client uses this process's slots;"
              + " leave it out");
    }
  }

  /**
   * The run's options in the cluster. Makes one read.
   *
   * @throws UsageException if they are not possible there
   */
  public RunOptions in(Cluster cluster, RunOptions options) {
    return settings(cluster).fair()
        ? options.with(fairly(cluster.name()))
        : alone(cluster.name(), options);
  }

  private Priority fairly(String cluster) {
    if (detach) {
      throw new UsageException(
          "--detach cannot be combined with the fair cluster '%s': a client there keeps only a little work in the queue, and the rest would not be sent; leave it out, or end fairness with: %s setup -s %s --no-fair"
              .formatted(cluster, Launcher.name(), cluster));
    }
    return priority.or(() -> before).orElse(Priority.NORMAL);
  }

  private RunOptions alone(String cluster, RunOptions options) {
    if (priority.isPresent()) {
      throw new UsageException(
          "--priority %s would have no effect: cluster '%s' is not fair, and its clients send everything immediately; leave it out, or make the cluster fair with: %s setup -s %s --fair"
              .formatted(priority.get().label(), cluster, Launcher.name(), cluster));
    }
    return options;
  }

  /** The cluster's settings; the default if an older cluster has no table of decisions. */
  private static ClusterSettings settings(Cluster cluster) {
    try {
      return cluster.decisions().settings();
    } catch (MissingResourceException e) {
      return ClusterSettings.DEFAULT;
    }
  }
}
