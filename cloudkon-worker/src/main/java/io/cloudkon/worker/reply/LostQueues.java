package io.cloudkon.worker.reply;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Response queues that do not exist any more, and since when. Thread safe. */
public final class LostQueues {
  private static final int REMEMBERED = 1000;

  private final TimeSource time;
  private final Duration timeout;
  private final Predicate<BundleHeader> open;
  private final Map<String, Long> since =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

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

  /** The queue is not there; says whether that has lasted, and the run is open all the same. */
  boolean hopeless(String queue, BundleHeader of) {
    long now = time.monotonicNanos();
    long first;
    synchronized (since) {
      first = since.computeIfAbsent(queue, q -> now);
    }
    return open.test(of) && now - first >= timeout.toNanos();
  }

  /** The queue is there. */
  void found(String queue) {
    synchronized (since) {
      since.remove(queue);
    }
  }
}
