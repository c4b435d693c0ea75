package io.cloudkon.client.collect;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Results in the blob store that this client may not read, or whose bucket is gone. A recent change
 * may not be in effect everywhere, so reading is retried for a minute. After that, their tasks are
 * LOST, because their outcome cannot be known. Thread safe.
 */
final class RefusedResults {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final TimeSource time;
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  RefusedResults(TimeSource time) {
    this.time = time;
  }

  /** Handles a refused read; returns whether reads have been refused for the whole time. */
  boolean lasts(String place) {
    long now = time.monotonicNanos();
    boolean lasts = now - since.computeIfAbsent(place, p -> now) >= PATIENCE_NANOS;
    if (lasts) {
      since.remove(place);
    }
    return lasts;
  }

  /** Forgets a place that was read after all or is no longer needed. */
  void over(String place) {
    since.remove(place);
  }

  /** The reason why such a task is LOST. */
  static String reason(CloudKonException refused) {
    return "its result is in the blob store, but this client cannot read it: "
        + refused.getMessage();
  }

  /**
   * The task whose result is in the blob store because it alone is too large for a message.
   *
   * @return its ordinal; empty if the key names none
   */
  static OptionalInt task(ResultBatch message) {
    String before = BlobKeys.out(message.run(), message.bundle()) + message.nonce() + '-';
    if (!message.stored().startsWith(before)) {
      return OptionalInt.empty();
    }
    String ordinal = message.stored().substring(before.length()).replaceFirst("-[0-9]+$", "");
    return ordinal.matches("[0-9]{1,9}")
        ? OptionalInt.of(Integer.parseInt(ordinal))
        : OptionalInt.empty();
  }
}
