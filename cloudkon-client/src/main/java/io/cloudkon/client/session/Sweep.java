package io.cloudkon.client.session;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.ResponseQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what a run leaves behind. Stateless. */
final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  /**
   * How long after a run was cancelled a worker may still store results: it reads the run's state
   * every 5 s.
   */
  static final long NOTICE_MILLIS = 7_000;

  private Sweep() {}

  /** A run that has everything does not fail by a queue that stays: teardown removes it. */
  static void queue(ResponseQueue queues, String queue) {
    try {
      queues.remove(queue);
    } catch (CloudKonException e) {
      LOG.warn("queue {} stays behind: {}", queue, e.getMessage());
    }
  }
}
