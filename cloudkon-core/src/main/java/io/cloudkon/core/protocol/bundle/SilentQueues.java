package io.cloudkon.core.protocol.bundle;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The response queues that do not answer, with the time since when: perhaps on this worker's way to
 * them alone. Pure; not thread safe.
 */
public final class SilentQueues {
  /** How long a queue may not answer before its results are stored instead: 5 minutes. */
  private static final long SILENCE_MILLIS = 300_000;

  /**
   * The time without a failed send after which it is unknown whether a queue would have answered: 2
   * minutes, as a call may take 50 s.
   */
  private static final long NO_SEND_MILLIS = 120_000;

  private static final int REMEMBERED = 1000;

  private final Map<String, Silence> silent =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Silence> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** The first and the latest of the sends that had no answer; monotonic milliseconds. */
  private record Silence(long since, long latest) {}

  /**
   * Records that a send to the queue had no answer. Returns whether that has lasted for 5 minutes:
   * no send had an answer, and none came 2 minutes after the one before.
   */
  public boolean notAnswered(String queue, long monoMillis) {
    Silence before = silent.get(queue);
    long since =
        before != null && monoMillis - before.latest() <= NO_SEND_MILLIS
            ? before.since()
            : monoMillis;
    silent.put(queue, new Silence(since, monoMillis));
    return monoMillis - since >= SILENCE_MILLIS;
  }

  /** Records that the queue, or a service in its place, has answered. */
  public void answered(String queue) {
    silent.remove(queue);
  }
}
