package io.cloudkon.simulator.cloud;

/** A worker that came up on a launched instance. */
public interface Booted {
  /** Whether it has ended, or died. */
  boolean left();

  /** Whether it has ended in good order, and with it its instance. */
  boolean ended();

  /** Its machine fails, or is terminated. */
  void die();
}
