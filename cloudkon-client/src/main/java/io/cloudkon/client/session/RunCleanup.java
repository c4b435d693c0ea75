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
   * How long after a run was cancelled a worker may still store results: it reads the run's state
   * every 5 s.
   */
  static final long NOTICE_MILLIS = 7_000;

  private RunCleanup() {}

  /** As {@link #queue}, each of them. */
  static void queues(ResponseQueue queues, List<String> names) {
    names.forEach(name -> queue(queues, name));
  }

  /** A run that has everything does not fail by a queue that stays: teardown removes it. */
  static void queue(ResponseQueue queues, String queue) {
    try {
      queues.remove(queue);
    } catch (CloudKonException e) {
      LOG.warn("queue {} stays behind: {}", queue, e.getMessage());
    }
  }
}
