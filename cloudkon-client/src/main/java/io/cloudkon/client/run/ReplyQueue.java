package io.cloudkon.client.run;

import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a run's results go now: the response queue that it began with, or another one if that is
 * gone. Thread safe.
 */
public final class ReplyQueue {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyQueue.class);

  private final Cluster cluster;
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
  public ReplyQueue(Cluster cluster, RunIdentity identity, RunLease lease, Runnable lookAtAll) {
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
   * Makes the one that a new run was published with.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the lease is lost; then there is none
   */
  public void begin() throws InterruptedException {
    lease.require();
    cluster.responses().create(name);
    if (!lease.awaitValid()) {
      // Nobody goes on with a run that has no journal yet.
      cluster.responses().remove(name);
    }
    lease.require();
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
      names.add(Names.response(cluster.name(), identity.client() + "-" + names.size()));
    }
    String next = names.getLast();
    // Published before it is there: who dies in between leaves no queue that nobody knows of.
    if (lease.moveTo(next) && make(next)) {
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

  /**
   * False if the lease was lost meanwhile: then another client may have found no queue, and have
   * moved on to one of its own. If it has not, it knows this one, and removes it in the end.
   */
  private boolean make(String queue) throws InterruptedException {
    cluster.responses().create(queue);
    if (lease.awaitValid()) {
      return true;
    }
    Optional<RunEntry> run = cluster.runs().read(identity.run());
    if (run.isEmpty()
        || run.get().state() == RunEntry.State.ENDED
        || !run.get().responseQueue().equals(queue)) {
      cluster.responses().remove(queue);
    }
    return false;
  }
}
