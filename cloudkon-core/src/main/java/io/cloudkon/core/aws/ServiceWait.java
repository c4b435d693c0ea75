package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for background operations of a service, such as creation and removal. */
public final class ServiceWait {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private ServiceWait() {}

  /**
   * Polls until the condition is true; each pause is twice as long as the last one, up to a second.
   *
   * @throws CloudKonException the given exception if the condition is still false at the end, or if
   *     interrupted
   */
  public static void until(
      Duration within, BooleanSupplier reached, Supplier<? extends CloudKonException> otherwise) {
    long end = System.nanoTime() + within.toNanos();
    Duration pause = FIRST_PAUSE;
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw otherwise.get();
      }
      pause(pause, otherwise);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
  }

  /** Waits for this time; throws the given exception if interrupted. */
  public static void pause(Duration time, Supplier<? extends CloudKonException> otherwise) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw otherwise.get();
    }
  }
}
