package io.cloudkon.worker.execute;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.health.Sickness;

/**
 * A task failed before its first instruction and left nothing behind. The cause is the task or its
 * worker; a probe, which tries the same with something harmless, tells which.
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

  /** There is no memory or no thread for it. */
  static NotStartedException outOfMemory(OutOfMemoryError e, Stamps stamps) {
    long now = stamps.now();
    return new NotStartedException(
        new Sickness.Memory(String.valueOf(e.getMessage())),
        MemoryProbe::attempt,
        TaskOutcome.plain(TaskStatus.FAILED, Texts.error(e), now, now),
        e);
  }

  /** The sickness of the worker, if the task is not the cause. */
  public Sickness suspicion() {
    return suspicion;
  }

  /** The probe, which tries the same with something harmless. */
  public StartProbe probe() {
    return probe;
  }

  /** The outcome of the task, if it is the cause itself. */
  public TaskOutcome outcome() {
    return outcome;
  }
}
