package io.cloudkon.client.collect;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the results of a cancelled run that wait in its queues, as they still count: until a
 * receive comes back empty, and no message is hidden that was received and could not be taken. A
 * queue that is said not to exist counts as empty only if that lasts; one that cannot be received
 * from never does. Several threads receive if there are many. Used by one thread.
 */
final class LastReceives {
  private static final Logger LOG = LoggerFactory.getLogger(LastReceives.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int THREADS = 8;
  private static final long AGAIN_MILLIS = 500;

  /** How long receives may fail, or bring only what cannot be taken. */
  private static final long PATIENCE_MILLIS = 60_000;

  private final Receive receive;
  private final LongSupplier hiddenMillis;
  private final Predicate<String> gone;
  private final ServicePatience refused;
  private final TimeSource time;
  private final Pause pause;

  /** Receives and takes one batch. */
  @FunctionalInterface
  interface Receive {
    int from(String queue, Duration wait) throws InterruptedException;
  }

  /**
   * Receives nothing yet.
   *
   * @param hiddenMillis how long messages that could not be taken are hidden; 0 if there are none
   * @param gone records that a queue was not found; returns whether that means that it is empty
   * @param refused the patience with receives that are refused
   */
  LastReceives(
      Receive receive,
      LongSupplier hiddenMillis,
      Predicate<String> gone,
      ServicePatience refused,
      TimeSource time,
      Pause pause) {
    this.receive = receive;
    this.hiddenMillis = hiddenMillis;
    this.gone = gone;
    this.refused = refused;
    this.time = time;
    this.pause = pause;
  }

  /**
   * Takes what waits in these queues. Those that are missing are asked in turn, so that it takes no
   * longer until several of them count as gone.
   *
   * @throws CloudKonException if results stay in one, because they cannot be received or read
   */
  void take(Collection<String> queues) throws InterruptedException {
    List<String> missing = List.copyOf(queues);
    while (!missing.isEmpty()) {
      List<String> again = new ArrayList<>();
      for (String queue : missing) {
        if (!drain(queue, true)) {
          again.add(queue);
        }
      }
      if (!again.isEmpty()) {
        pause.millis(AGAIN_MILLIS);
      }
      missing = again;
    }
  }

  private void takeMany(String queue) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        all.add(threads.submit(() -> drain(queue, false)));
      }
      for (Future<Boolean> one : all) {
        var unused = one.get(); // the caller sees for itself whether the queue is missing
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CloudKonException known
          ? known
          : new CloudKonException("the results of the run could not be collected", e.getCause());
    }
  }

  /**
   * Receives until nothing is left.
   *
   * @param alone whether more threads are to help if there is much
   * @return false if the queue is missing, and may not be gone
   */
  private boolean drain(String queue, boolean alone) throws InterruptedException {
    long since = time.now().mono();
    while (true) {
      try {
        int got = receive.from(queue, POLL);
        if (alone && got == Limits.BATCH) {
          takeMany(queue);
          since = time.now().mono(); // which may have taken long
        }
        long hidden = hiddenMillis.getAsLong();
        if (got == 0 && hidden == 0) {
          return true;
        }
        if (got > 0 && hidden == 0) {
          since = time.now().mono();
        } else if (time.now().mono() - since > PATIENCE_MILLIS) {
          throw new CloudKonException(
              "results of finished tasks stay in queue %s, because they cannot be read (see the warnings)"
                  .formatted(queue));
        } else if (got == 0) {
          pause.millis(Math.min(hidden, AGAIN_MILLIS));
        }
      } catch (TransientServiceException e) {
        if (time.now().mono() - since > PATIENCE_MILLIS) {
          throw e;
        }
        LOG.debug("could not receive the last results, trying again: {}", e.getMessage());
        pause.millis(AGAIN_MILLIS);
      } catch (RefusedException e) {
        refused.throwIfHopeless(e);
        since = time.now().mono();
        pause.millis(AGAIN_MILLIS);
      } catch (MissingResourceException e) {
        if (!e.resource().equals(queue)) {
          throw e;
        }
        return gone.test(queue);
      }
    }
  }
}
