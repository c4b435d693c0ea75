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
 * The response queues of a run: the current one, which workers send results to, and the former
 * ones, which may still hold some. SQS may answer that a queue does not exist although it does, so
 * that answer is believed only where it lasts:
 *
 * <ul>
 *   <li>the current queue is given up, for another one, after a heartbeat without it;
 *   <li>a former queue is read on until it has been missing for {@value #GONE_LEASES} leases.
 * </ul>
 *
 * <p>An answer from the queue in between, or a lease without any answer about it, begins the count
 * anew. A move to another queue is different: workers follow it once it is published, so it is
 * finished even if the current queue answers again meanwhile. Pure; used by one thread at a time.
 */
public final class ResponseQueues {
  /** For so many leases a former queue is missing before it counts as gone. */
  public static final int GONE_LEASES = 4;

  /** What a receive may take besides its wait, in milliseconds. */
  private static final long ROUND_TRIP_MILLIS = 1_000;

  /** What a turn of reading one of the former queues may take, in milliseconds. */
  private static final long TURN_MILLIS = 5_000;

  private final LeaseSettings lease;
  private final Map<String, Absence> missing = new HashMap<>();
  private final Map<String, Quiet> former = new LinkedHashMap<>();
  private String current;
  private @Nullable String next;

  /** From the first to the latest answer that a queue does not exist. */
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

  /** The queue that results go to now. */
  public String current() {
    return current;
  }

  /** The queues that are still to be read besides the current one, oldest first. */
  public List<String> former() {
    return new ArrayList<>(former.keySet());
  }

  /** Results went to this queue before: it is read too. Nothing to do if it is known. */
  public void alsoRead(String queue) {
    if (!queue.equals(current)) {
      former.putIfAbsent(queue, new Quiet());
    }
  }

  /**
   * A move to another queue begins, which is about to be published and made. Workers may send
   * results there from here on, so that queue is read like a former one.
   */
  public void moving(String other) {
    next = other;
    alsoRead(other);
  }

  /**
   * The queue of a move that is not finished: it is to be published and made, as often as it takes,
   * and whatever the current queue answers. Empty if there is none.
   */
  public Optional<String> next() {
    return Optional.ofNullable(next);
  }

  /** Results go to another queue, which is there; the one before becomes a former one. */
  public void moved(String other) {
    String before = current;
    current = other;
    next = null;
    missing.remove(other);
    former.remove(other);
    alsoRead(before);
  }

  /**
   * A receive came back, so the queue is there.
   *
   * @param begun when it began
   * @param waitMillis how long it was to wait at most: what came after that, while this process was
   *     stopped, it has not seen
   */
  public void answered(String queue, int messages, Moment begun, long waitMillis, Moment now) {
    missing.remove(queue);
    Quiet quiet = former.get(queue);
    if (quiet != null) {
      Moment seen = begun.plus(waitMillis + ROUND_TRIP_MILLIS);
      quiet.received(messages, begun, messages == 0 && now.eitherPast(seen) ? seen : now);
    }
  }

  /** A receive failed; that says nothing of whether the queue exists. */
  public void failed(String queue, Moment now) {
    Quiet quiet = former.get(queue);
    if (quiet != null) {
      quiet.disturbed(now);
    }
  }

  /**
   * The service says that there is no such queue. Tells whether that is believed from here on: the
   * current queue is to be replaced then ({@link #moving}), a former one is read no more. Never
   * believed of the queue of a move that is not finished.
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
   * Whether every former queue has shown, for so long until now, that nothing comes: one that is
   * missing may hold results, and come back with them.
   */
  public boolean quiet(long millis, Moment now) {
    // They are read by turns: the more there are, the longer ago is the last look at one.
    long fresh = TURN_MILLIS * former.size();
    return former.values().stream().allMatch(quiet -> quiet.lasted(millis, fresh, now));
  }
}
