package io.cloudkon.worker.execute.guard;

import java.util.HashSet;
import java.util.Set;

/**
 * The process groups that the guard did not find empty when they were released. Only so many are
 * remembered; when they were forgotten, any may have been among them. Thread safe.
 */
final class LeftGroups {
  private static final int REMEMBERED = 10_000;

  private final Set<Long> groups = new HashSet<>();
  private int forgotten;

  /** Somebody was in this one. */
  synchronized void add(long group) {
    if (groups.size() == REMEMBERED) {
      groups.clear();
      forgotten++;
    }
    groups.add(group);
  }

  /** This number is given again. */
  synchronized void isAnew(long group) {
    groups.remove(group);
  }

  /** How often all were forgotten. */
  synchronized int forgotten() {
    return forgotten;
  }

  /**
   * Whether somebody may have been in this one; it is not asked again.
   *
   * @param before how often all were forgotten when it was released
   */
  synchronized boolean had(long group, int before) {
    return groups.remove(group) || before != forgotten;
  }
}
