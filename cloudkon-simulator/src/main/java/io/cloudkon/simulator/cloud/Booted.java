package io.cloudkon.simulator.cloud;

/** A worker that came up on a launched instance. */
public interface Booted {
  /** Whether it has ended, by itself or otherwise. */
  boolean left();

  /** Its instance is terminated. */
  void die();
}
