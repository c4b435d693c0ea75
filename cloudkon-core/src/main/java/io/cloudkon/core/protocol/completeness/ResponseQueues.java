package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The response queues of a run: the current one, to which workers send results, and former ones,
 * which may still hold results. SQS may report a queue as missing although it exists, so such an
 * answer is accepted only if it persists:
 *
 * <ul>
 *   <li>the current queue is replaced by another one after it has been missing for a heartbeat;
 *   <li>a former queue is read until it has been missing for {@value #GONE_LEASES} leases.
 * </ul>
 *
 * <p>An answer from the queue, or a lease without any answer about it, restarts the count. A move
 * to another queue, however, is completed even if the current queue answers again meanwhile,
 * because workers follow it once it is published. Pure; used by one thread at a time.
 */
public final class ResponseQueues {
  /** The number of leases for which a former queue must be missing before it counts as gone. */
  public static final int GONE_LEASES = 4;

  /** The time that a receive may take in addition to its wait, in milliseconds. */
  private static final long ROUND_TRIP_MILLIS = 1_000;

  /** The time that one turn of reading a former queue may take, in milliseconds. */
  private static final long TURN_MILLIS = 5_000;

  private final LeaseSettings lease;
  private final Map<String, Absence> missing = new HashMap<>();
  private final Map<String, Quiet> former = new LinkedHashMap<>();
  private String current;
  private @Nullable String next;

  /** The period from the first to the latest answer that a queue does not exist. */
  private record Absence(Moment since, Moment last) {}

  /**
   * A run whose results all go to one queue.
   *
   * @param current its name
   */
  public ResponseQueues(LeaseSettings lease, String current) {
    this.lease = lease;
    this.current = current;
  }

  /** The queue to which results are currently sent. */
  public String current() {
    return current;
  }

  /** The former queues that are still to be read, oldest first. */
  public List<String> former() {
    return new ArrayList<>(former.keySet());
  }

  /** Adds a former queue, which is then read too; does nothing if it is known. */
  public void alsoRead(String queue) {
    if (!queue.equals(current)) {
      former.putIfAbsent(queue, new Quiet());
    }
  }

  /**
   * Begins a move to another queue, which is about to be published and created. Workers may send
   * results there from then on, so the queue is read like a former one.
   */
  public void moving(String other) {
    next = other;
    alsoRead(other);
  }

  /**
   * The queue of an unfinished move, which is to be published and created as often as necessary,
   * whatever the current queue answers. Empty if there is none.
   */
  public Optional<String> next() {
    return Optional.ofNullable(next);
  }

  /** Completes a move to an existing queue; the previous queue becomes a former one. */
  public void moved(String other) {
    String before = current;
    current = other;
    next = null;
    missing.remove(other);
    former.remove(other);
    alsoRead(before);
  }

  /**
   * Records that a receive was answered, so the queue exists.
   *
   * @param begun when it began
   * @param waitMillis its maximum wait; it has not seen messages that arrived after that time while
   *     this process was suspended
   */
  public void answered(String queue, int messages, Moment begun, long waitMillis, Moment now) {
    missing.remove(queue);
    Quiet quiet = former.get(queue);
    if (quiet != null) {
      Moment seen = begun.plus(waitMillis + ROUND_TRIP_MILLIS);
      quiet.received(messages, begun, messages == 0 && now.eitherPast(seen) ? seen : now);
    }
  }

  /** Records a failed receive, which says nothing about whether the queue exists. */
  public void failed(String queue, Moment now) {
    Quiet quiet = former.get(queue);
    if (quiet != null) {
      quiet.disturbed(now);
    }
  }

  /**
   * Records the service's answer that the queue does not exist. Returns whether the queue counts as
   * gone from now on: then the current queue is to be replaced ({@link #moving}), and a former one
   * is no longer read. The queue of an unfinished move never counts as gone.
   */
  public boolean missing(String queue, Moment now) {
    failed(queue, now);
    @Nullable Absence before = missing.get(queue);
    Moment since =
        before == null || now.eitherPast(before.last().plus(lease.lease())) ? now : before.since();
    missing.put(queue, new Absence(since, now));
    long lasted = now.mono() - since.mono();
    if (queue.equals(current)) {
      return lasted >= lease.heartbeat();
    }
    if (queue.equals(next) || lasted < GONE_LEASES * lease.lease()) {
      return false;
    }
    missing.remove(queue);
    former.remove(queue);
    return true;
  }

  /**
   * Whether every former queue has shown for this time until now that no results come; a missing
   * queue may reappear with results.
   */
  public boolean quiet(long millis, Moment now) {
    // They are read in turn: the more there are, the longer ago each was last read.
    long fresh = TURN_MILLIS * former.size();
    return former.values().stream().allMatch(quiet -> quiet.lasted(millis, fresh, now));
  }
}
