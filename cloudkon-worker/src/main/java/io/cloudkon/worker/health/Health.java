package io.cloudkon.worker.health;

import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.worker.execute.StartProbe;

/** Takes reports from parts of a worker that cannot do their work. Thread safe. */
public interface Health {

  /**
   * Something failed that may be the worker's own fault: tries it again by {@code probe}. If that
   * succeeds the worker is well, and the failure is that of whoever had it. Else the worker is sick
   * from now on: it receives nothing, gives back what has not started, and repeats the probe with
   * back-off until it succeeds.
   *
   * @param probe must do no harm, and may block; kept while the worker is sick
   * @return whether the worker is sick; it may have been before, for another reason
   */
  boolean isSick(Sickness suspicion, StartProbe probe);
}
