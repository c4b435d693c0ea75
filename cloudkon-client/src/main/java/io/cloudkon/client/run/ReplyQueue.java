package io.cloudkon.client.run;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.ResponseQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a run's results go now: the response queue that it began with, or another one if that is
 * gone. Thread safe.
 */
public final class ReplyQueue {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyQueue.class);

  private final ResponseQueue queues;
  private final String cluster;
  private final RunIdentity identity;
  private final RunLease lease;
  private final Runnable lookAtAll;
  private final List<String> names = new CopyOnWriteArrayList<>();
  private volatile String name;

  /**
   * As the run was published.
   *
   * @param lookAtAll is told when results may have been lost with a queue
   */
  public ReplyQueue(
      ResponseQueue queues,
      String cluster,
      RunIdentity identity,
      RunLease lease,
      Runnable lookAtAll) {
    this.queues = queues;
    this.cluster = cluster;
    this.identity = identity;
    this.lease = lease;
    this.lookAtAll = lookAtAll;
    this.name = identity.responseQueue();
    names.add(name);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Every name that it has had with this client: one that was gone may have come back. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * Makes another one, under another name, where this one is gone, and publishes it; returns when
   * workers can find it. Nothing to do if that has happened already, or the lease is lost.
   *
   * @param gone the name under which no queue was found
   */
  public synchronized void replace(String gone) throws InterruptedException {
    if (!gone.equals(name)) {
      return;
    }
    if (names.getLast().equals(name)) {
      names.add(Names.response(cluster, identity.client() + "-" + names.size()));
    }
    String next = names.getLast();
    // Published before it is there: who dies in between leaves no queue that nobody knows of.
    if (lease.moveTo(next)) {
      queues.create(next);
      // Not before it is there: another thread would find it gone as well.
      name = next;
      LOG.warn(
          "response queue {} of run {} is gone; results go to {} now, and what was under way is"
              + " looked after",
          gone,
          identity.run(),
          next);
      lookAtAll.run();
    }
  }
}
