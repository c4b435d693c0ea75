package io.cloudkon.worker.health;

import io.cloudkon.core.port.BlobStore;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.input.InputException;
import java.util.Optional;

/**
 * A fault of the worker because of which a task, rank or launcher did not start; another worker may
 * run it.
 *
 * @param reason the fault, in one line
 * @param hiddenMillis how long this worker must not receive it again, in milliseconds; 0 if the
 *     worker receives nothing at all until it is well
 */
public record StartHindrance(String reason, long hiddenMillis) {
  private static final long REFUSED_MILLIS = 30_000;

  /**
   * The worker's fault because of which an input is not available; empty if the fault is the
   * input's own. May block.
   */
  public static Optional<StartHindrance> of(InputException e, Health health) {
    if (BlobStore.refuses(e.getCause())) {
      // Work that needs no bucket runs here as before.
      return Optional.of(new StartHindrance(e.reason(), REFUSED_MILLIS));
    }
    return e.suspicion()
        .filter(suspicion -> health.isSick(suspicion.sickness(), suspicion.probe()))
        .map(suspicion -> new StartHindrance(suspicion.sickness().reason(), 0));
  }

  /**
   * The worker's fault because of which a command or handler did not start; empty if the fault is
   * its own. May block.
   */
  public static Optional<StartHindrance> of(NotStartedException e, Health health) {
    return health.isSick(e.suspicion(), e.probe())
        ? Optional.of(new StartHindrance(e.suspicion().reason(), 0))
        : Optional.empty();
  }
}
