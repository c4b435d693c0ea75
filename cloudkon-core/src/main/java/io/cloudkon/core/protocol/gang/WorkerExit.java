package io.cloudkon.core.protocol.gang;

/** Tells whether a worker stays in its role, or how it leaves. */
final class WorkerExit {
  private How how = How.STAYS;

  private enum How {
    STAYS,
    DRAINS,
    KILLS
  }

  /** It takes nothing new, and waits for nothing. */
  boolean draining() {
    return how != How.STAYS;
  }

  /** What runs is to end at once. */
  boolean killing() {
    return how == How.KILLS;
  }

  void drain() {
    how = how == How.STAYS ? How.DRAINS : how;
  }

  void kill() {
    how = How.KILLS;
  }
}
