package io.cloudkon.core.protocol.gang;

/** Records whether a worker stays, drains, or ends at once, and whether it is sick meanwhile. */
final class WorkerExit {
  private How how = How.STAYS;
  private boolean sick;

  private enum How {
    STAYS,
    DRAINS,
    KILLS
  }

  /** Whether it drains: it takes nothing new and waits for nothing. */
  boolean draining() {
    return how != How.STAYS;
  }

  /** Whether it takes nothing new because it drains, or because it is sick. */
  boolean takesNothing() {
    return draining() || sick;
  }

  /** Whether it ends at once. */
  boolean killing() {
    return how == How.KILLS;
  }

  /** Records whether it is sick: for as long, it takes nothing new. */
  void sick(boolean so) {
    sick = so;
  }

  void drain() {
    how = how == How.STAYS ? How.DRAINS : how;
  }

  void kill() {
    how = How.KILLS;
  }
}
