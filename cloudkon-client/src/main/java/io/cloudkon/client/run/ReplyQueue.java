package io.cloudkon.client.run;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.ResponseQueues;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue that a run's results go to: the response queue that it began with, or its replacement
 * if that was gone for long enough; and the former ones. Thread safe.
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

  /** Guarded by itself, and never held while anything else is called. */
  private final ResponseQueues queues;

  /** Held by the thread that moves the run to another queue. */
  private final ReentrantLock mover = new ReentrantLock();

  /**
   * As the run was published.
   *
   * @param lookAtAll is told when results may have been lost with a queue
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
    this.queues = new ResponseQueues(settings, identity.responseQueue());
    names.add(identity.responseQueue());
  }

  /**
   * The run's journal is open.
   *
   * @param before the queues that results went to so far, by what stands in it
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

  /** Its name. */
  public String name() {
    return asked(ResponseQueues::current);
  }

  /** Every name that it has had: one that was gone may have come back. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** The queues that may still hold results, or show them again, besides {@link #name}. */
  public List<String> former() {
    return asked(ResponseQueues::former);
  }

  /** Whether nothing has come from former queues for so long; see {@link ResponseQueues#quiet}. */
  public boolean quiet(long millis, Moment now) {
    return asked(of -> of.quiet(millis, now));
  }

  /** A receive from this queue came back. */
  public void answered(String queue, int messages, Moment begun, Duration wait) {
    asked(of -> {
      of.answered(queue, messages, begun, wait.toMillis(), time.now());
      return true;
    });
  }

  /** A receive from this queue failed, for another reason than that there is none. */
  public void failed(String queue) {
    asked(of -> {
      of.failed(queue, time.now());
      return true;
    });
  }

  /** A receive found no such queue; says whether it is believed that there is none. */
  public boolean missing(String queue) {
    return asked(of -> of.missing(queue, time.now()));
  }

  private <T> T asked(Function<ResponseQueues, T> of) {
    synchronized (queues) {
      return of.apply(queues);
    }
  }

  /**
   * Makes the one that a new run was published with.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the lease is lost; then there is none
   */
  public void begin() throws InterruptedException {
    lease.require();
    cluster.responses().create(name());
    if (!lease.awaitValid()) {
      // Nobody goes on with a run that has no journal yet.
      cluster.responses().remove(name());
    }
    lease.require();
  }

  /**
   * Begins a move to another queue, where this one is gone; {@link #goOnMoving} does it. Waits for
   * another thread's move that is under way.
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
      // Known before anybody sends results there: who dies in between leaves none unread.
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
   * Publishes and makes the other queue of a move that has begun, and returns when workers can find
   * it. Nothing to do if there is no such move, another thread is at it, or the lease is lost.
   *
   * @return false if it failed in passing: then it is to be called again, even if the current queue
   *     is there again by then, as workers follow what was published
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
    } catch (TransientServiceException e) {
      LOG.debug("could not make another response queue, trying again: {}", e.getMessage());
      return false;
    } finally {
      mover.unlock();
    }
  }

  /** May be repeated. */
  private void moveTo(String other) throws InterruptedException {
    String gone = name();
    // Published before it is there: who dies in between leaves no queue that nobody knows of.
    if (lease.moveTo(other) && make(other)) {
      // Not before it is there: another thread would find it gone as well.
      asked(of -> {
        of.moved(other);
        return true;
      });
      LOG.warn(
          "response queue {} of run {} is gone; results go to {} now, and what was under way is"
              + " looked after",
          gone,
          identity.run(),
          other);
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
