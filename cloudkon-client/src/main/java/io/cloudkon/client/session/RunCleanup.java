package io.cloudkon.client.session;

import io.cloudkon.client.run.Pause;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.ResponseQueue;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what a run leaves behind. Stateless. */
final class RunCleanup {
  private static final Logger LOG = LoggerFactory.getLogger(RunCleanup.class);

  /**
   * The time after a cancellation for which a worker may still store results: it reads the run's
   * state every 5 s.
   */
  private static final long NOTICE_MILLIS = 7_000;

  private RunCleanup() {}

  /**
   * Removes a cancelled run's objects, also those that workers store until they notice.
   *
   * @param remove removes the objects that there are
   * @param moreMayCome whether a worker may still store some
   * @param cancelledFor how long ago the run was cancelled, at least; milliseconds
   * @param say receives a message about what is waited for
   */
  static void objects(
      String run,
      Runnable remove,
      BooleanSupplier moreMayCome,
      long cancelledFor,
      Consumer<String> say,
      Pause pause)
      throws InterruptedException {
    remove.run();
    long wait = NOTICE_MILLIS - cancelledFor;
    if (wait > 0 && moreMayCome.getAsBoolean()) {
      say.accept(
          "waiting %d s for the workers to notice, so that no object of run %s remains in the blob store"
              .formatted((wait + 999) / 1000, run));
      pause.millis(wait);
      remove.run();
    }
  }

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
