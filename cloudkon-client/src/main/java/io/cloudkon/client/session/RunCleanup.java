package io.cloudkon.client.session;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.ResponseQueue;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what a run leaves behind. Stateless. */
final class RunCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(RunCleanup.class);

  /**
   * The time after a cancellation for which a worker may still store results: it reads the run's
   * state every 5 s.
   */
  static final long NOTICE_MILLIS = 7_000;

  private RunCleanup() {}

  /** Removes several queues, like {@link #queue}. */
  static void queues(ResponseQueue queues, List<String> names) {
    names.forEach(name -> queue(queues, name));
  }

  /**
   * Removes a queue. A failure is only logged, because it must not fail a complete run; teardown
   * removes a remaining queue.
   */
  static void queue(ResponseQueue queues, String queue) {
    try {
      queues.remove(queue);
    } catch (CloudKonException e) {
      LOG.warn("queue {} could not be removed: {}", queue, e.getMessage());
    }
  }
}
