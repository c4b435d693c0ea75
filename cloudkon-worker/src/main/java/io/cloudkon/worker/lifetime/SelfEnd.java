package io.cloudkon.worker.lifetime;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the instance that a worker was launched on after the worker has ended, because an instance
 * without a worker costs as much as one with a worker. Repeats a refused or lost call for a minute.
 * After that, the exit code tells the service manager to power off, or the provisioner misses the
 * worker and ends the instance. Used by one thread at a time.
 */
public final class SelfEnd {
  private static final Logger LOG = LoggerFactory.getLogger(SelfEnd.class);

  /** A minute in total: a Spot instance has two minutes after its notice. */
  static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofSeconds(8),
          Duration.ofSeconds(15),
          Duration.ofSeconds(30));

  private final Predicate<String> terminate;
  private final Pause pause;

  /** A way to wait. */
  @FunctionalInterface
  public interface Pause {
    void await(Duration time) throws InterruptedException;
  }

  /**
   * Ends nothing yet.
   *
   * @param terminate ends an instance; false if EC2 does not know it, which is tried again because
   *     this instance exists
   */
  public SelfEnd(Predicate<String> terminate, Pause pause) {
    this.terminate = terminate;
    this.pause = pause;
  }

  /**
   * Ends the instance.
   *
   * @return whether EC2 has accepted the call
   */
  public boolean end(String instance) throws InterruptedException {
    for (Duration wait : PAUSES) {
      if (ends(instance)) {
        return true;
      }
      pause.await(wait);
    }
    boolean ended = ends(instance);
    if (!ended) {
      LOG.warn(
          "instance {} could not be ended in {} tries: it is left to the service manager, and to"
              + " the provisioner",
          instance,
          PAUSES.size() + 1);
    }
    return ended;
  }

  private boolean ends(String instance) {
    try {
      boolean known = terminate.test(instance);
      if (!known) {
        LOG.warn("EC2 does not know this instance, {}: asking it again to end it", instance);
      }
      return known;
    } catch (CloudKonException e) {
      LOG.warn("this instance could not be ended, trying again: {}", e.getMessage());
      return false;
    }
  }
}
