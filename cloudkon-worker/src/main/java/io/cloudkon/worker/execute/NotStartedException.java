package io.cloudkon.worker.execute;

import io.cloudkon.core.protocol.health.Sickness;

/**
 * A task failed before its first instruction, and nothing of it is left: that may be its own fault,
 * or its worker's. Whether it is, trying the same with something harmless says.
 */
public final class NotStartedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient Sickness suspicion;
  private final transient StartProbe probe;
  private final transient TaskOutcome outcome;

  NotStartedException(Sickness suspicion, StartProbe probe, TaskOutcome outcome, Throwable cause) {
    super(outcome.error(), cause);
    this.suspicion = suspicion;
    this.probe = probe;
    this.outcome = outcome;
  }

  /** What the worker suffers from if it is not the task's fault. */
  public Sickness suspicion() {
    return suspicion;
  }

  /** Tries the same with a command that does nothing. */
  public StartProbe probe() {
    return probe;
  }

  /** How the task ended if it is its own fault. */
  public TaskOutcome outcome() {
    return outcome;
  }
}
