package io.cloudkon.worker.execute.guard;

import java.util.HashSet;
import java.util.Set;

/**
 * The process groups that the guard did not find empty when they were released. Only a limited
 * number is remembered; once they were forgotten, any group may have been among them. Thread safe.
 */
final class LeftGroups {
  private static final int REMEMBERED = 10_000;

  private final Set<Long> groups = new HashSet<>();
  private int forgotten;

  /** Records that this group was not empty. */
  synchronized void add(long group) {
    if (groups.size() == REMEMBERED) {
      groups.clear();
      forgotten++;
    }
    groups.add(group);
  }

  /** Forgets this number, which belongs to a new group. */
  synchronized void isAnew(long group) {
    groups.remove(group);
  }

  /** The number of times that all groups were forgotten. */
  synchronized int forgotten() {
    return forgotten;
  }

  /**
   * Whether this group may not have been empty; may be called only once for a group.
   *
   * @param before the value of {@link #forgotten()} when it was released
   */
  synchronized boolean had(long group, int before) {
    return groups.remove(group) || before != forgotten;
  }
}
