package io.cloudkon.client.dead;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the visibility of received letters: ten letters a call and several calls at a time, so
 * that the last letters do not reappear before their turn. Stateless and thread safe.
 */
final class LetterVisibility {
  private static final Logger LOG = LoggerFactory.getLogger(LetterVisibility.class);

  /** The number of calls at a time. */
  static final int LANES = 8;

  private LetterVisibility() {}

  /**
   * Changes the visibility of these messages. A message for which that fails keeps its visibility.
   *
   * @param visibility how long they are hidden from now on; zero makes them visible at once
   * @param stop whether to leave the rest as they are; asked before each call
   * @return the failed calls
   */
  static List<CloudKonException> change(
      RequestQueue queue, List<String> handles, Duration visibility, BooleanSupplier stop)
      throws InterruptedException {
    Queue<List<String>> batches = new ConcurrentLinkedQueue<>();
    for (int from = 0; from < handles.size(); from += Limits.BATCH) {
      batches.add(handles.subList(from, Math.min(handles.size(), from + Limits.BATCH)));
    }
    Queue<CloudKonException> failed = new ConcurrentLinkedQueue<>();
    List<Thread> lanes = new ArrayList<>(LANES);
    for (int i = Math.min(LANES, batches.size()); i > 0; i--) {
      lanes.add(
          Thread.ofVirtual()
              .name("cloudkon-dead-letters-" + i)
              .start(() -> changeEach(queue, batches, visibility, stop, failed)));
    }
    for (Thread lane : lanes) {
      lane.join();
    }
    return List.copyOf(failed);
  }

  private static void changeEach(
      RequestQueue queue,
      Queue<List<String>> batches,
      Duration visibility,
      BooleanSupplier stop,
      Queue<CloudKonException> failed) {
    for (List<String> batch = batches.poll(); batch != null; batch = batches.poll()) {
      if (stop.getAsBoolean()) {
        return;
      }
      try {
        queue
            .changeVisibilities(
                batch.stream().map(handle -> new VisibilityChange(handle, visibility)).toList())
            .forEach(
                failure -> LOG.debug("a dead letter keeps its visibility: {}", failure.reason()));
      } catch (CloudKonException e) {
        LOG.debug("dead letters keep their visibility: {}", e.getMessage());
        failed.add(e);
      }
    }
  }
}
