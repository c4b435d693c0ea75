package io.cloudkon.bench.simulate;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.Latencies;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select the simulated fleet and its load. */
final class FleetOptions {
  private static final int MOST_WORKERS = 100_000;
  private static final int MOST_SLOTS = 1024;
  private static final int MOST_THREADS = 64;
  private static final int MOST_TASKS = 100_000_000;
  private static final long MOST_IN_ALL = 1_000_000_000;

  @Option(
      names = "--workers",
      paramLabel = "N",
      split = ",",
      description = "One fleet after the other. Default: 1,16,256.")
  int[] workers = {1, 16, 256};

  @Option(names = "--slots", paramLabel = "N", description = "Of each worker. Default: 4.")
  int slots = 4;

  @Option(names = "--tasks", paramLabel = "N", description = "For each worker. Default: 1000.")
  int tasks = 1000;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = TaskTimes.Converter.class,
      description = "Of a task: 16ms, 1ms..1s, lognormal:1ms..1s. Default: 100ms.")
  TaskTimes duration = TaskTimes.always(100);

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "Each with its own run. Default: one for each worker.")
  @Nullable Integer clients;

  @Option(names = "--threads", paramLabel = "N", description = "Of each client. Default: 2.")
  int threads = ClientSetup.DEFAULT.threads();

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = LatencyText.Converter.class,
      description = {
        "Of calls: 8, or sqs=8,dynamodb=5, or sqs=8/30",
        "(median/p99). Default: sqs=8/30,dynamodb=5/15."
      })
  @Nullable LatencyText latency;

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      description = "exactly-once, at-most-once or at-least-once.")
  @Nullable Consistency consistency;

  @Option(
      names = "--claim",
      paramLabel = "SCOPE",
      converter = ClaimConverter.class,
      description = "One claim per bundle or per task. Default: bundle.")
  @Nullable ClaimScope claim;

  @Option(
      names = "--bundle",
      paramLabel = "N",
      description = "Tasks per bundle. Default: adaptive.")
  @Nullable Integer bundle;

  @Option(
      names = "--bundle-target",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Work per bundle and slot. Default: 250ms.")
  Duration bundleTarget = Duration.ofMillis(BundlerSettings.DEFAULT.targetMillis());

  @Option(
      names = "--overhead",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "What a worker's program adds to each task. Default: 0.")
  @Nullable Duration overhead;

  @Option(names = "--no-quotas", description = "DynamoDB takes any number of writes.")
  boolean noQuotas;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      converter = Preset.Converter.class,
      description = {
        "original: as published, with the latencies of its",
        "time. Options given win."
      })
  Preset preset = Preset.NONE;

  /** Accepts {@code bundle}, {@code task}, and {@code once}, which only works with the preset. */
  static final class ClaimConverter implements ITypeConverter<ClaimScope> {
    @Override
    public ClaimScope convert(String value) {
      for (ClaimScope scope : ClaimScope.values()) {
        if (scope.label().equals(value)) {
          return scope;
        }
      }
      throw new TypeConversionException("expected bundle or task, not '%s'".formatted(value));
    }
  }

  /**
   * The scenario that the options describe.
   *
   * @throws UsageException if the options are invalid
   */
  Scenario scenario(long seed) {
    inRange("--slots", slots, MOST_SLOTS);
    inRange("--tasks", tasks, MOST_TASKS);
    inRange("--threads", threads, MOST_THREADS);
    Consistency mode = consistency == null ? preset.consistency() : consistency;
    Scenario scenario =
        new Scenario(
            seed,
            mode,
            slots,
            tasks,
            duration,
            clients == null ? 0 : inRange("--clients", clients, MOST_WORKERS),
            client(mode),
            latencies(),
            !noQuotas && preset.quotas(),
            overhead == null ? preset.overheadMicros() : overhead.toNanos() / 1000);
    for (int count : workers) {
      checkSize(scenario, inRange("--workers", count, MOST_WORKERS));
    }
    return scenario;
  }

  private static void checkSize(Scenario scenario, int workers) {
    long tasks = scenario.tasks(workers);
    if (tasks > MOST_IN_ALL) {
      throw new UsageException(
          "--workers %d --tasks %d: %,d tasks in all; expected at most %,d"
              .formatted(workers, scenario.tasksPerWorker(), tasks, MOST_IN_ALL));
    }
    if (scenario.runs(workers) > tasks) {
      throw new UsageException(
          "--clients %d: there are only %d tasks for them with --workers %d"
              .formatted(scenario.runs(workers), tasks, workers));
    }
  }

  private ClientSetup client(Consistency mode) {
    if (bundle != null) {
      inRange("--bundle", bundle, Limits.TASKS_PER_BUNDLE);
    }
    if (bundleTarget.toMillis() < 1) {
      throw new UsageException("--bundle-target: expected 1ms or more");
    }
    if (claim == ClaimScope.TASK && !mode.claims()) {
      throw new UsageException("--claim task: %s has no claims".formatted(mode.label()));
    }
    if (claim == ClaimScope.ONCE
        && (preset != Preset.ORIGINAL || mode == Consistency.EXACTLY_ONCE)) {
      throw new UsageException(
          "--claim once goes with --preset original only, and not with exactly-once");
    }
    int fixed = bundle == null ? preset.bundle() : bundle;
    ClaimScope scope = claim == null ? preset.claim(mode) : claim;
    if (scope.perTask() && mode.claims() && fixed != 1) {
      throw new UsageException(
          "--claim task is simulated with one task in each bundle; give --bundle 1 as well");
    }
    BundlerSettings bundler =
        new BundlerSettings(
            fixed, bundleTarget.toMillis(), BundlerSettings.DEFAULT.maxBytes(), true);
    return ClientSetup.DEFAULT.withThreads(threads).with(bundler).with(scope);
  }

  private Latencies latencies() {
    return latency == null ? preset.latencies() : latency.over(preset.latencies());
  }

  private static int inRange(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new UsageException("%s %d: expected 1 to %d".formatted(option, value, most));
    }
    return value;
  }
}
