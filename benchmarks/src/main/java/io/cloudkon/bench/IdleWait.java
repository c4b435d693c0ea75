package io.cloudkon.bench;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until queues are empty, for a limited time. */
final class IdleWait {
  /** Longer than a message stays hidden that its worker could not delete. */
  private static final long LIMIT_SECONDS = 120;

  private static final long PAUSE_MILLIS = 5;

  private IdleWait() {}

  /**
   * Returns once all queues are empty.
   *
   * @param empty whether a queue is
   * @throws CloudKonException if one of them is not after 120 s
   */
  static void await(List<String> queues, Predicate<String> empty, TimeSource time)
      throws InterruptedException {
    long begun = time.monotonicNanos();
    List<String> left = queues.stream().filter(empty.negate()).toList();
    while (!left.isEmpty()) {
      if (time.monotonicNanos() - begun >= TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
        throw new CloudKonException(
            "messages are left after %d s in %s; expected an idle cluster, on which bare calls are"
                    .formatted(LIMIT_SECONDS, left)
                + " measured: is its worker alive?");
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      left = queues.stream().filter(empty.negate()).toList();
    }
  }
}
