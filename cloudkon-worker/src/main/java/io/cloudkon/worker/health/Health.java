package io.cloudkon.worker.health;

import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.worker.execute.StartProbe;

/** Receives reports from parts of a worker that cannot do their work. Thread safe. */
public interface Health {

  /**
   * Checks a failure that may be the worker's own fault by trying it again with {@code probe}. If
   * the probe succeeds, the worker is well, and the fault lies with the task or rank that failed.
   * Otherwise the worker is sick from then on: it receives nothing, gives back what has not
   * started, and repeats the probe with back-off until it succeeds.
   *
   * @param probe must do no harm and may block; kept while the worker is sick
   * @return whether the worker is sick; it may have been sick before, for another reason. Also true
   *     if the thread was interrupted, as the task or rank has then not failed by itself
   */
  boolean isSick(Sickness suspicion, StartProbe probe);
}
