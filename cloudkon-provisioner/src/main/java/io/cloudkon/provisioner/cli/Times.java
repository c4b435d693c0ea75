package io.cloudkon.provisioner.cli;

import io.cloudkon.core.error.UsageException;
import java.time.Duration;

/** Times of options that need a limit. */
final class Times {
  private Times() {}

  /**
   * In milliseconds.
   *
   * @throws UsageException if it is less than one
   */
  static long positive(String option, Duration time) {
    long millis = time.toMillis();
    if (millis < 1) {
      throw new UsageException("%s: expected 1ms or more, such as 5s".formatted(option));
    }
    return millis;
  }
}
