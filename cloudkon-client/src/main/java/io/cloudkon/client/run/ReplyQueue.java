package io.cloudkon.client.run;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.ResponseQueues;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response queue that a run's results go to: the one that it began with, or its replacement if
 * that one was gone for long enough; and the former ones. Thread safe.
 */
public final class ReplyQueue {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyQueue.class);

  private final Cluster cluster;
  private final RunIdentity identity;
  private final RunLease lease;
  private final TimeSource time;
  private final Runnable lookAtAll;
  private final List<String> names = new CopyOnWriteArrayList<>();
  private volatile Journal journal = Journal.none();

  /** Guarded by its own monitor, which is never held while anything else is called. */
  private final ResponseQueues queues;

  /** The patience with a policy that refuses to create a replacement. */
  private final ServicePatience creating;

  /** Held by the thread that moves the run to another queue. */
  private final ReentrantLock mover = new ReentrantLock();

  /**
   * The queue with which the run was published.
   *
   * @param lookAtAll is called when results may have been lost with a queue
   */
  public ReplyQueue(
      Cluster cluster,
      RunIdentity identity,
      RunLease lease,
      LeaseSettings settings,
      TimeSource time,
      Runnable lookAtAll) {
    this.cluster = cluster;
    this.identity = identity;
    this.lease = lease;
    this.time = time;
    this.lookAtAll = lookAtAll;
    this.creating = ServicePatience.thatWorked(time);
    this.queues = new ResponseQueues(settings, identity.responseQueue());
    names.add(identity.responseQueue());
  }

  /**
   * Sets the run's open journal.
   *
   * @param before the queues that results went to so far, according to the journal
   */
  public void opened(Journal runs, List<String> before) {
    journal = runs;
    for (String queue : before) {
      if (!names.contains(queue)) {
        names.add(queue);
      }
      asked(of -> {
        of.alsoRead(queue);
        return true;
      });
    }
  }

  /** The queue's name. */
  public String name() {
    return asked(ResponseQueues::current);
  }

  /** The names of all queues that the run has had; one that was gone may exist again. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * The queues other than {@link #name} that may still hold results, or make them visible again.
   */
  public List<String> former() {
    return asked(ResponseQueues::former);
  }

  /** The queue, and the former ones that are still read. */
  public List<String> readable() {
    List<String> all = new ArrayList<>(former());
    all.addFirst(name());
    return all;
  }

  /**
   * Whether nothing has come from former queues for that many milliseconds; see {@link
   * ResponseQueues#quiet}.
   */
  public boolean quiet(long millis, Moment now) {
    return asked(of -> of.quiet(millis, now));
  }

  /** Records that a receive from a queue returned. */
  public void answered(String queue, int messages, Moment begun, Duration wait) {
    asked(of -> {
      of.answered(queue, messages, begun, wait.toMillis(), time.now());
      return true;
    });
  }

  /**
   * Records that a receive from a queue failed for another reason than that the queue does not
   * exist.
   */
  public void failed(String queue) {
    asked(of -> {
      of.failed(queue, time.now());
      return true;
    });
  }

  /** Records that a receive found no such queue; returns whether the queue now counts as gone. */
  public boolean missing(String queue) {
    return asked(of -> of.missing(queue, time.now()));
  }

  /**
   * Records that a receive found no such queue; returns whether nothing is in it, because it counts
   * as gone or is still to be created.
   */
  public boolean holdsNothing(String queue) {
    return missing(queue) || next().filter(queue::equals).isPresent();
  }

  private <T> T asked(Function<ResponseQueues, T> of) {
    synchronized (queues) {
      return of.apply(queues);
    }
  }

  /**
   * Creates the queue with which a new run was published.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the lease is lost; then there is none
   */
  public void begin() throws InterruptedException {
    lease.require();
    cluster.responses().create(name());
    if (!lease.awaitValid()) {
      // Nobody can resume a run that has no journal yet.
      cluster.responses().remove(name());
    }
    lease.require();
  }

  /**
   * Begins a move to another queue because this one is gone; {@link #goOnMoving} carries it out.
   * Waits for a move of another thread that is in progress.
   *
   * @param gone the name under which no queue was found
   * @return false if there is nothing to begin: a move has begun before, or the lease is lost
   */
  public boolean replace(String gone) throws InterruptedException {
    mover.lockInterruptibly();
    try {
      if (!gone.equals(name())) {
        return true;
      }
      if (next().isPresent() || !lease.awaitValid()) {
        return false;
      }
      String other = Names.response(cluster.name(), identity.client() + "-" + names.size());
      // Recorded before anybody sends results there, so that none stay unread if this client dies
      // in between.
      journal.append(List.of(new JournalEntry.Moved(other)));
      names.add(other);
      asked(of -> {
        of.moving(other);
        return true;
      });
      return true;
    } finally {
      mover.unlock();
    }
  }

  /** Whether a move to another queue has begun and is not finished. */
  public boolean moving() {
    return next().isPresent();
  }

  private Optional<String> next() {
    return asked(ResponseQueues::next);
  }

  /**
   * Publishes and creates the other queue of a move that has begun, and returns when workers can
   * find it. Does nothing if there is no such move, another thread is carrying it out, or the lease
   * is lost.
   *
   * @return false after a transient failure, or a refusal; then it must be called again, even if
   *     the current queue exists again by then, because workers follow what was published
   * @throws RefusedException if the queue has been refused for 5 minutes
   */
  public boolean goOnMoving() throws InterruptedException {
    if (!moving() || !mover.tryLock()) {
      return true;
    }
    try {
      Optional<String> other = next();
      if (other.isPresent() && lease.awaitValid()) {
        moveTo(other.get());
      }
      return true;
    } catch (TransientServiceException | RefusedException e) {
      creating.throwIfHopeless(e);
      LOG.debug("could not make another response queue, trying again: {}", e.getMessage());
      return false;
    } finally {
      mover.unlock();
    }
  }

  /** May be repeated. */
  private void moveTo(String other) throws InterruptedException {
    String gone = name();
    // Published before it is created, so that a client that dies in between leaves no unknown
    // queue.
    if (lease.moveTo(other) && make(other)) {
      // Only after it is created: another thread would otherwise find it gone as well.
      asked(of -> {
        of.moved(other);
        return true;
      });
      LOG.warn(
          "response queue {} of run {} is gone; results now go to {}, and every outstanding bundle"
              + " is checked",
          gone,
          identity.run(),
          other);
      lookAtAll.run();
    }
  }

  /**
   * Returns false if the lease was lost meanwhile. Another client may then have found no queue and
   * moved on to one of its own, so this one is removed. If it has not, it knows this queue and
   * removes it in the end.
   */
  private boolean make(String queue) throws InterruptedException {
    cluster.responses().create(queue);
    creating.worked();
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
