package io.cloudkon.worker.reply;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Response queues that do not exist any more or take no results, since when, and which of them are
 * dead ends: results for them can neither be sent nor stored. Thread safe.
 */
public final class LostQueues {
  /** For how long a bundle is hidden whose results can go nowhere: 10 minutes. */
  public static final Duration HIDDEN = Duration.ofMinutes(10);

  private static final int REMEMBERED = 1000;

  private final TimeSource time;
  private final Duration timeout;
  private final Predicate<BundleHeader> open;
  private final Map<String, Lost> queues =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Lost> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Why a queue takes no results. */
  public enum Why {
    /** It does not exist. */
    GONE("is gone"),
    /** A policy does not allow to send to it. */
    REFUSED("may not be sent to"),
    /** It does not take what is sent, however often. */
    FAULTY("does not take them");

    final String words;

    Why(String words) {
      this.words = words;
    }
  }

  private record Lost(Why why, long since, boolean deadEnd) {}

  /**
   * None yet.
   *
   * @param timeout how long a queue may be gone before nobody waits for it; default 60 s
   * @param open reads the run of a bundle, which may name another queue, and says whether it still
   *     takes results
   */
  public LostQueues(TimeSource time, Duration timeout, Predicate<BundleHeader> open) {
    this.time = time;
    this.timeout = timeout;
    this.open = open;
  }

  /** The queue takes nothing; says whether that has lasted, and the run is open all the same. */
  boolean hopeless(String queue, Why why, BundleHeader of) {
    long now = time.monotonicNanos();
    Lost lost;
    synchronized (queues) {
      lost = queues.computeIfAbsent(queue, q -> new Lost(why, now, false));
    }
    return open.test(of) && now - lost.since() >= timeout.toNanos();
  }

  /** There is no place to store its results either; says whether that is news. */
  boolean deadEnd(String queue, Why why) {
    synchronized (queues) {
      Lost before = queues.get(queue);
      long since = before == null ? time.monotonicNanos() : before.since();
      queues.put(queue, new Lost(why, since, true));
      return before == null || !before.deadEnd();
    }
  }

  /** Why the queue takes no results, for all that is known; null if it takes them. */
  public @Nullable Why why(String queue) {
    synchronized (queues) {
      Lost lost = queues.get(queue);
      return lost == null ? null : lost.why();
    }
  }

  /** Whether, for all that is known, the queue does not exist, or takes nothing. */
  public boolean isGone(String queue) {
    synchronized (queues) {
      return queues.containsKey(queue);
    }
  }

  /** Whether, for all that is known, results for this queue can go nowhere. */
  public boolean isDeadEnd(String queue) {
    synchronized (queues) {
      Lost lost = queues.get(queue);
      return lost != null && lost.deadEnd();
    }
  }

  /** The queue is there, or something else has changed. */
  public void found(String queue) {
    synchronized (queues) {
      queues.remove(queue);
    }
  }
}
