package io.cloudkon.worker.reply;

import io.cloudkon.core.model.BundleHeader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the queue for each run's results: the one that its bundles name, unless its client has
 * moved to another one. Thread safe.
 */
public final class ReplyRoutes {
  private final Map<String, String> moved = new ConcurrentHashMap<>();

  /** The response queue for a bundle's results. */
  public String queue(BundleHeader header) {
    return moved.getOrDefault(header.run(), header.responseQueue());
  }

  /** Sends the run's results to that queue from now on. */
  public void move(String run, String queue) {
    moved.put(run, queue);
  }

  /** Resets all runs to the queues that their bundles name, until the runs are read again. */
  public void clear() {
    moved.clear();
  }

  /** Forgets a run that is over. */
  public void forget(String run) {
    moved.remove(run);
  }
}
