package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import java.time.Duration;

/** Checks the durations of options. */
final class Times {
  private Times() {}

  /**
   * Returns a duration in milliseconds.
   *
   * @throws UsageException if it is less than 1 ms
   */
  static long positive(String option, Duration time) {
    long millis = time.toMillis();
    if (millis < 1) {
      throw new UsageException("%s: expected 1ms or more, such as 5s".formatted(option));
    }
    return millis;
  }
}
