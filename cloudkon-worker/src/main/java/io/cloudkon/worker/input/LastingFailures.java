package io.cloudkon.worker.input;

import io.cloudkon.core.model.Content;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lasting failures to fetch shipments, by run and hash, because thousands of tasks may request
 * the same shipment. The ones that were used last are remembered. Guarded by the cache.
 */
final class LastingFailures {
  private static final int REMEMBERED = 1000;

  private final Map<String, InputException> byShipment =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, InputException> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** The failure that every fetch of this shipment for this run has; null if none is known. */
  @Nullable InputException of(String run, Content ship) {
    return byShipment.get(key(run, ship));
  }

  /** Remembers a failure if it is a lasting one. */
  void add(String run, Content ship, Throwable failure) {
    if (failure instanceof InputException input && input.lasting()) {
      byShipment.put(key(run, ship), input);
    }
  }

  private static String key(String run, Content ship) {
    return run + '/' + ship.sha256();
  }
}
