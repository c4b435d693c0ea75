package io.cloudkon.core.protocol.bundle;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The response queues to which every send fails in one way, such as without an answer, with the
 * time since when. Pure; not thread safe.
 */
public final class FailingQueues {
  /**
   * How long a queue may not answer, perhaps on this worker's way to it alone, before its results
   * are stored instead: 5 minutes.
   */
  public static final long SILENCE_MILLIS = 300_000;

  /**
   * The time without a failed send after which it is unknown whether another would have succeeded:
   * 2 minutes, as a call may take 50 s.
   */
  private static final long NO_SEND_MILLIS = 120_000;

  private static final int REMEMBERED = 1000;

  private final long patienceMillis;
  private final Map<String, Failure> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failure> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** The first and the latest of the sends that failed; monotonic milliseconds. */
  private record Failure(long since, long latest) {}

  /**
   * Starts without failing queues.
   *
   * @param patienceMillis how long sends to a queue may fail, in milliseconds
   */
  public FailingQueues(long patienceMillis) {
    this.patienceMillis = patienceMillis;
  }

  /**
   * Records that a send to the queue failed. Returns whether that has lasted for long: no send
   * succeeded, and none came more than 2 minutes after the one before.
   */
  public boolean failed(String queue, long monoMillis) {
    Failure before = failures.get(queue);
    long since =
        before != null && monoMillis - before.latest() <= NO_SEND_MILLIS
            ? before.since()
            : monoMillis;
    failures.put(queue, new Failure(since, monoMillis));
    return monoMillis - since >= patienceMillis;
  }

  /** Records that a send did not fail in this way. */
  public void over(String queue) {
    failures.remove(queue);
  }
}
