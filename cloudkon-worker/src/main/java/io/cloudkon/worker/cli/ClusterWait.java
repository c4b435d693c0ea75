package io.cloudkon.worker.cli;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.MissingCredentialsException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.worker.lifetime.SelfEnd;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a worker's cluster at its start. On an instance that a provisioner launched, it tries again
 * for five minutes: the stack may still be in creation, the network may not be up, or the role may
 * not have propagated. Elsewhere it tries once, because a person may wait for the answer. Used by
 * one thread.
 */
final class ClusterWait {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWait.class);

  /** Five minutes in total, the time that a provisioner gives an instance to register. */
  static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofSeconds(8),
          Duration.ofSeconds(16),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60));

  private final SelfEnd.Pause pause;

  ClusterWait(SelfEnd.Pause pause) {
    this.pause = pause;
  }

  /**
   * Returns what was found.
   *
   * @param wait whether to look for five minutes, as a provisioner may have launched this instance
   * @param look looks for the cluster, or for the credentials to do so
   * @throws UsageException at once, because waiting does not help, unless it is for credentials
   * @throws CloudKonException the exception of the last try
   */
  <T> T find(boolean wait, Supplier<T> look) throws InterruptedException {
    for (Duration next : wait ? PAUSES : List.<Duration>of()) {
      try {
        return look.get();
      } catch (CloudKonException e) {
        if (e instanceof UsageException && !(e instanceof MissingCredentialsException)) {
          throw e;
        }
        LOG.warn("looking for the cluster again in {} s: {}", next.toSeconds(), e.getMessage());
      }
      pause.await(next);
    }
    return look.get();
  }
}
