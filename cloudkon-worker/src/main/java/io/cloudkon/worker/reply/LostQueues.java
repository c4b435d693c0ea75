package io.cloudkon.worker.reply;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.protocol.bundle.FailingQueues;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The response queues that no longer exist, do not accept results or do not answer. Some are dead
 * ends: their results can be neither sent nor stored. Thread safe.
 */
public final class LostQueues {
  /** How long a bundle is hidden if its results can go nowhere: 10 minutes. */
  public static final Duration HIDDEN = Duration.ofMinutes(10);

  private static final int REMEMBERED = 1000;

  /** How long a test of a dead end is valid. */
  private static final Duration TESTED = Duration.ofSeconds(5);

  private final TimeSource time;
  private final Predicate<BundleHeader> open;
  private final Map<String, Lost> queues =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Lost> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** The queues that have accepted nothing, and those that have not answered, and since when. */
  private final FailingQueues refusing;

  private final FailingQueues silent = new FailingQueues(FailingQueues.SILENCE_MILLIS);

  /** The reason why a queue accepts no results. */
  public enum Why {
    /** The queue does not exist. */
    GONE("is gone"),
    /** A policy does not allow sending to it. */
    REFUSED("may not be sent to"),
    /** It rejects what is sent, however often. */
    FAULTY("does not accept them"),
    /** Nothing that is sent to it is answered, perhaps on this worker's way to it alone. */
    SILENT("does not answer");

    final String words;

    Why(String words) {
      this.words = words;
    }
  }

  private record Lost(Why why, boolean deadEnd, OptionalLong tested) {
    static Lost newly(Why why, boolean deadEnd) {
      return new Lost(why, deadEnd, OptionalLong.empty());
    }
  }

  /**
   * Starts without lost queues.
   *
   * @param timeout how long a queue may be gone before its results are stored instead; default 60 s
   * @param open reads the run of a bundle, which may name another queue, and returns whether it
   *     still accepts results
   */
  public LostQueues(TimeSource time, Duration timeout, Predicate<BundleHeader> open) {
    this.time = time;
    this.refusing = new FailingQueues(timeout.toMillis());
    this.open = open;
  }

  /**
   * Records that the queue accepts nothing. Returns whether that has lasted for the timeout, see
   * {@link FailingQueues#failed}, although the run is open.
   */
  boolean hopeless(String queue, Why why, BundleHeader of) {
    long now = time.now().mono();
    boolean lasts;
    synchronized (queues) {
      queues.putIfAbsent(queue, Lost.newly(why, false));
      lasts = refusing.failed(queue, now);
    }
    return open.test(of) && lasts;
  }

  /**
   * Records that a send to the queue had no answer; returns whether that has lasted for long, see
   * {@link FailingQueues#failed}.
   */
  boolean silent(String queue) {
    long now = time.now().mono();
    synchronized (queues) {
      return silent.failed(queue, now);
    }
  }

  /** Records that the queue, or a service in its place, has answered. */
  void answered(String queue) {
    synchronized (queues) {
      silent.over(queue);
    }
  }

  /** Records that the queue's results cannot be stored either; returns whether that is new. */
  boolean deadEnd(String queue, Why why) {
    synchronized (queues) {
      Lost before = queues.put(queue, Lost.newly(why, true));
      return before == null || !before.deadEnd();
    }
  }

  /** Why the queue accepts no results, as far as is known; null if it accepts them. */
  public @Nullable Why why(String queue) {
    synchronized (queues) {
      Lost lost = queues.get(queue);
      return lost == null ? null : lost.why();
    }
  }

  /** Whether, as far as is known, the queue does not exist or accepts nothing. */
  public boolean isGone(String queue) {
    synchronized (queues) {
      return queues.containsKey(queue);
    }
  }

  /** Whether, as far as is known, results for this queue can go nowhere. */
  public boolean isDeadEnd(String queue) {
    synchronized (queues) {
      Lost lost = queues.get(queue);
      return lost != null && lost.deadEnd();
    }
  }

  /** Whether a dead end has not been tested for a few seconds; then the caller is to test it. */
  public boolean isToBeTested(String queue) {
    long now = time.monotonicNanos();
    synchronized (queues) {
      Lost lost = queues.get(queue);
      if (lost == null
          || (lost.tested().isPresent() && now - lost.tested().getAsLong() < TESTED.toNanos())) {
        return false;
      }
      queues.put(queue, new Lost(lost.why(), lost.deadEnd(), OptionalLong.of(now)));
      return true;
    }
  }

  /** Forgets the queue, because it exists or something else has changed. */
  public void found(String queue) {
    synchronized (queues) {
      queues.remove(queue);
      refusing.over(queue);
      silent.over(queue);
    }
  }
}
