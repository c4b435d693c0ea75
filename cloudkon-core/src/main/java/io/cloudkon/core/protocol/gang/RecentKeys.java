package io.cloudkon.core.protocol.gang;

import java.util.LinkedHashSet;
import java.util.Set;

/** The keys that were added last, as many as may still matter. Pure; not thread safe. */
public final class RecentKeys {
  private final Set<String> keys = new LinkedHashSet<>();
  private final int most;

  /**
   * No keys.
   *
   * @param most the maximum number of keys; of more, the one that was added first is forgotten
   */
  public RecentKeys(int most) {
    this.most = most;
  }

  /** Adds a key; returns false if it is among them already. */
  public boolean add(String key) {
    boolean added = keys.add(key);
    if (keys.size() > most) {
      keys.remove(keys.iterator().next());
    }
    return added;
  }

  boolean contains(String key) {
    return keys.contains(key);
  }
}
