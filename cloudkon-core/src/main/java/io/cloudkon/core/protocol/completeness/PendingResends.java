package io.cloudkon.core.protocol.completeness;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bundles and children that are to be sent again and were not yet accepted by the request
 * queue, in the order in which they are checked. Times are in seconds of the monotonic clock. Used
 * by one thread at a time.
 */
final class PendingResends {
  /**
   * The delay, in seconds, before a bundle that was to be sent again but was not accepted is
   * checked again.
   */
  private static final int AGAIN_SECONDS = 5;

  private final LinkedHashMap<String, Unsent> byId = new LinkedHashMap<>();

  /**
   * A bundle or child that is to be sent again.
   *
   * @param ordinals its tasks
   * @param again when it is checked again, unless it was accepted
   */
  private record Unsent(int[] ordinals, int again) {}

  /**
   * A bundle or child that is to be checked again now.
   *
   * @param id its id
   * @param ordinals its tasks
   */
  record Due(String id, int[] ordinals) {}

  /** Adds a bundle or child, or starts its delay again. */
  void put(String id, int[] ordinals, int now) {
    var unused = byId.putLast(id, new Unsent(ordinals, now + AGAIN_SECONDS));
  }

  boolean has(String id) {
    return byId.containsKey(id);
  }

  /** Takes out a bundle or child; returns whether it was pending. */
  boolean remove(String id) {
    return byId.remove(id) != null;
  }

  /** Takes out the next one whose delay is over; null if there is none. */
  @Nullable Due takeDue(int now) {
    Map.Entry<String, Unsent> next = byId.firstEntry();
    if (next == null || next.getValue().again() > now) {
      return null;
    }
    byId.remove(next.getKey());
    return new Due(next.getKey(), next.getValue().ordinals());
  }
}
