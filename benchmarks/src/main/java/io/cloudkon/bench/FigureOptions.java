package io.cloudkon.bench;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of the measured figures. */
final class FigureOptions {
  private static final int MOST_WORKERS = 64;
  private static final Duration LONGEST = Duration.ofSeconds(1);

  @Option(
      names = "--workers",
      paramLabel = "N",
      split = ",",
      description = "Figures: worker processes. Default: 1,2,4,8,16.")
  int[] workers = {};

  @Option(
      names = "--emulate-latency",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "The emulator delays its answers so. Default: 0.")
  Duration latency = Duration.ZERO;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Figures: for JSON and PNG. Default: cloudkon-figures.")
  Path results = Path.of("cloudkon-figures");

  /**
   * Validates the options.
   *
   * @throws UsageException if one is out of its bounds
   */
  void check() {
    for (int count : workers) {
      if (count < 1 || count > MOST_WORKERS) {
        throw new UsageException("--workers %d: expected 1 to %d".formatted(count, MOST_WORKERS));
      }
    }
    if (latency.compareTo(LONGEST) > 0) {
      throw new UsageException("--emulate-latency: expected at most 1s");
    }
  }

  /** The numbers of worker processes, in the order of measurement. */
  int[] workers(boolean quick) {
    return workers.length > 0
        ? workers.clone()
        : quick ? new int[] {1, 2} : new int[] {1, 2, 4, 8, 16};
  }
}
