package io.cloudkon.core.protocol.gang;

/** Records whether a worker stays, drains, or ends at once. */
final class WorkerExit {
  private How how = How.STAYS;

  private enum How {
    STAYS,
    DRAINS,
    KILLS
  }

  /** Whether it drains: it takes nothing new and waits for nothing. */
  boolean draining() {
    return how != How.STAYS;
  }

  /** Whether it ends at once. */
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
