package io.cloudkon.client.collect;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.time.TimeSource;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Results in the blob store that this client may not read. A policy that was changed a moment ago
 * may not be known everywhere, so they are asked for again for a minute; then their tasks are LOST,
 * as nobody could ever tell how they ended. Thread safe.
 */
final class RefusedResults {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final TimeSource time;
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  RefusedResults(TimeSource time) {
    this.time = time;
  }

  /** It may not be read; says whether that has lasted. */
  boolean lasts(String place) {
    long now = time.monotonicNanos();
    boolean lasts = now - since.computeIfAbsent(place, p -> now) >= PATIENCE_NANOS;
    if (lasts) {
      since.remove(place);
    }
    return lasts;
  }

  /** It was read after all, or is not asked for any more. */
  void over(String place) {
    since.remove(place);
  }

  /** Why such a task is LOST. */
  static String reason(RefusedException refused) {
    return "its result is in the blob store, but this client may not read it: "
        + refused.getMessage();
  }

  /**
   * The task whose result a message says is stored: one result alone is too large for a message.
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
