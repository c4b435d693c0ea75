package io.cloudkon.bench;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the measured figures. */
final class FigureOptions {
  /** The default folder. */
  static final Path RESULTS = Path.of("cloudkon-figures");

  private static final int MOST_WORKERS = 64;
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final Duration LEAST_WORK = Duration.ofMillis(1);
  private static final Duration MOST_WORK = Duration.ofHours(1);

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
      description = "Delay of each answer of the emulator. Default: 0.")
  Duration latency = Duration.ZERO;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Figures: for JSON and PNG. Default: cloudkon-figures.")
  Path results = RESULTS;

  @Option(
      names = "--work-per-slot",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = {
        "efficiency, heterogeneous, consistency: as many",
        "tasks as are this much work for each slot."
      })
  @Nullable Duration workPerSlot;

  @Option(
      names = "--defaults-only",
      description = {"efficiency, heterogeneous, consistency: without", "the preset original."})
  boolean defaultsOnly;

  /**
   * Validates the options.
   *
   * @param tasks {@code --tasks}, which also determines the number of tasks; null if it is not
   *     given
   * @throws UsageException if one is out of its bounds, or two exclude each other
   */
  void check(@Nullable Long tasks) {
    for (int count : workers) {
      if (count < 1 || count > MOST_WORKERS) {
        throw new UsageException("--workers %d: expected 1 to %d".formatted(count, MOST_WORKERS));
      }
    }
    if (latency.compareTo(LONGEST) > 0) {
      throw new UsageException("--emulate-latency: expected at most 1s");
    }
    if (workPerSlot != null) {
      checkWork(workPerSlot, tasks);
    }
  }

  private static void checkWork(Duration work, @Nullable Long tasks) {
    if (tasks != null) {
      throw new UsageException("--work-per-slot and --tasks exclude each other; leave one out");
    }
    if (work.compareTo(LEAST_WORK) < 0 || work.compareTo(MOST_WORK) > 0) {
      throw new UsageException(
          "--work-per-slot %s: expected 1ms to 1h".formatted(Durations.format(work)));
    }
  }

  /** The numbers of worker processes, in the order of measurement. */
  int[] workers(boolean quick) {
    return workers.length > 0
        ? workers.clone()
        : quick ? new int[] {1, 2} : new int[] {1, 2, 4, 8, 16};
  }

  /**
   * The number of tasks that are {@code --work-per-slot} for each slot, at least one for each;
   * empty without this option.
   *
   * @param slots the number of slots of the cluster
   * @param meanMillis the mean duration of a task
   */
  OptionalInt tasks(int slots, double meanMillis) {
    if (workPerSlot == null) {
      return OptionalInt.empty();
    }
    long each = Math.max(1, Math.round(workPerSlot.toNanos() / 1e6 / meanMillis));
    return OptionalInt.of(Math.toIntExact(slots * each));
  }

  /**
   * The note that states the amount of work.
   *
   * @param otherwise the note without {@code --work-per-slot}
   */
  String workNote(String otherwise) {
    return workPerSlot == null
        ? otherwise
        : "Each slot of the cluster has %s of work (--work-per-slot)."
            .formatted(Durations.format(workPerSlot));
  }
}
