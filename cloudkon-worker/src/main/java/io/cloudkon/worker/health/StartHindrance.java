package io.cloudkon.worker.health;

import io.cloudkon.core.port.RefusedException;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.input.InputException;
import java.util.Optional;

/**
 * A fault of the worker for which a task, rank or launcher did not start: another one may have it.
 *
 * @param reason the fault, in one line
 * @param hiddenMillis for how long this worker is not to have it again, in milliseconds; 0 where it
 *     takes nothing at all before it is well
 */
public record StartHindrance(String reason, long hiddenMillis) {
  private static final long REFUSED_MILLIS = 30_000;

  /** Why an input cannot be had: empty if that is its own fault. May block. */
  public static Optional<StartHindrance> of(InputException e, Health health) {
    if (e.getCause() instanceof RefusedException) {
      // what needs no bucket runs here as before
      return Optional.of(new StartHindrance(e.reason(), REFUSED_MILLIS));
    }
    return e.suspicion()
        .filter(suspicion -> health.isSick(suspicion.sickness(), suspicion.probe()))
        .map(suspicion -> new StartHindrance(suspicion.sickness().reason(), 0));
  }

  /** Why a command or handler did not start: empty if that is its own fault. May block. */
  public static Optional<StartHindrance> of(NotStartedException e, Health health) {
    return health.isSick(e.suspicion(), e.probe())
        ? Optional.of(new StartHindrance(e.suspicion().reason(), 0))
        : Optional.empty();
  }
}
