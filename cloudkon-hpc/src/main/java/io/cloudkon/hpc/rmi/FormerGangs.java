package io.cloudkon.hpc.rmi;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A worker's knowledge of the last gangs that are over, which tells a late call from a wrong one.
 * Thread safe.
 */
final class FormerGangs<T> {
  private static final int MOST = 64;

  private final LinkedHashMap<String, T> gangs = new LinkedHashMap<>();

  /** Adds a gang that is over; forgets the oldest of more than {@value #MOST}. */
  synchronized void add(String gang, @Nullable T what) {
    if (what != null) {
      gangs.put(gang, what);
      if (gangs.size() > MOST) {
        gangs.pollFirstEntry();
      }
    }
  }

  synchronized @Nullable T get(String gang) {
    return gangs.get(gang);
  }
}
