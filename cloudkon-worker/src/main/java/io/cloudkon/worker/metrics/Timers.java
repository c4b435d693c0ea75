package io.cloudkon.worker.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;

/** Timers with a few fixed buckets, so that those of all workers can be added up. */
final class Timers {
  /** Buckets for times from a millisecond to half an hour. */
  static final Duration[] LONG = millis(1, 10, 100, 1_000, 10_000, 60_000, 300_000, 1_800_000);

  /** Buckets for one call of a service. */
  static final Duration[] CALL = millis(2, 5, 10, 25, 50, 100, 250, 1_000, 5_000);

  private Timers() {}

  static Timer timer(MeterRegistry registry, String name, String description, Duration... buckets) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  private static Duration[] millis(long... bounds) {
    return Arrays.stream(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
