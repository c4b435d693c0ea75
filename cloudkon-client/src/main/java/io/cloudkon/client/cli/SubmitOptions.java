package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.session.Fairness;
import io.cloudkon.core.cli.AwsOptions;
import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.process.ShellWord;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that submits tasks. */
final class SubmitOptions {

  @Option(
      names = "-t",
      paramLabel = "N",
      converter = WholeNumbers.Threads.class,
      description = "Tasks at a time (cores); on a cluster, threads (2).")
  @Nullable Integer threads;

  @Option(
      names = "--consistency",
      paramLabel = "MODE",
      converter = ConsistencyConverter.class,
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
      converter = WholeNumbers.Bundle.class,
      description = "Tasks per bundle. Default: adaptive.")
  @Nullable Integer bundle;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      converter = SubmitPreset.Converter.class,
      description = {
        "original (as published): --consistency at-most-once",
        "--claim once --bundle 1; explicit options win."
      })
  SubmitPreset preset = SubmitPreset.NONE;

  @Option(
      names = "--bundle-target",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Work per bundle and slot. Default: 250ms.")
  Duration bundleTarget = Duration.ofMillis(BundlerSettings.DEFAULT.targetMillis());

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Limit for tasks without one. Default: none.")
  Duration timeout = Duration.ZERO;

  @Option(
      names = "--retries",
      paramLabel = "N",
      converter = WholeNumbers.Retries.class,
      description = "More tries after a failure or timeout. Default: 0.")
  int retries;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      converter = WholeNumbers.Failures.class,
      description = "Cancel the run once N tasks did not succeed; or none.")
  @Nullable Long maxFailures;

  @Option(
      names = "--ship",
      paramLabel = "PATH",
      description = "Send a file or folder (repeatable); . sends all here.")
  List<Path> ship = new ArrayList<>();

  @Mixin CollectOptions collect = new CollectOptions();

  @Option(names = "--detach", description = "Leave after the last send; collect with --resume.")
  boolean detach;

  @Option(
      names = "--priority",
      paramLabel = "LEVEL",
      converter = PriorityConverter.class,
      description = "low, normal or high, in a fair cluster.")
  @Nullable Priority priority;

  /** The priority that a resumed run had; null if none was given. */
  @Nullable Priority priorityBefore;

  @Mixin LabelOptions label = new LabelOptions();

  @Option(
      names = "--run-id",
      paramLabel = "ID",
      description = "Default: date, time and 6 characters.")
  @Nullable String runId;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Default: cloudkon-RUN. none writes no files.")
  @Nullable String out;

  @Option(names = "--force", description = "Replace the results of an earlier run in --out.")
  boolean force;

  @Option(
      names = "--capture",
      paramLabel = "SIZE",
      converter = Sizes.Bytes.class,
      description = "Bytes kept of each task output. Default: 64KiB.")
  long capture = Limits.DEFAULT_CAPTURE_BYTES;

  @Mixin PrintOptions print = new PrintOptions();

  @Option(
      names = "--handlers",
      paramLabel = "JARDIR",
      description = "LOCAL: folder of jars with handlers.")
  @Nullable Path handlers;

  @Mixin AwsOptions aws = new AwsOptions();

  /** The options for sending the run. */
  RunNumbers numbers(boolean local) {
    Consistency mode = consistency == null ? preset.consistency() : consistency;
    return new RunNumbers(
        mode,
        claim == null ? preset.claim(mode) : claim,
        threads,
        local,
        bundle == null ? preset.bundle() : bundle,
        bundleTarget,
        timeout,
        retries,
        capture,
        detach,
        collect);
  }

  Fairness fairness() {
    return new Fairness(Optional.ofNullable(priority), Optional.ofNullable(priorityBefore), detach);
  }

  /**
   * Refuses a limit below 1, and a limit with {@code --detach}, where the client leaves before it
   * could act on it.
   */
  void checkMaxFailures() {
    if (maxFailures != null && maxFailures < 1) {
      throw new UsageException("--max-failures %d: expected 1 or more".formatted(maxFailures));
    }
    if (maxFailures().isPresent() && detach) {
      throw new UsageException(
          "--max-failures cannot be combined with --detach: a client that leaves cannot count"
              + " failures");
    }
  }

  /** Refuses the claims of the published system without its preset. */
  private void checkClaim() {
    if (claim == ClaimScope.ONCE && preset != SubmitPreset.ORIGINAL) {
      throw new UsageException(
          "--claim once works only with --preset original, for comparison; expected bundle or"
              + " task");
    }
  }

  /** The number of unsuccessful tasks that cancels the run; empty if none does. */
  OptionalLong maxFailures() {
    return maxFailures == null || maxFailures == WholeNumbers.NO_LIMIT
        ? OptionalLong.empty()
        : OptionalLong.of(maxFailures);
  }

  /** Refuses handlers if the workers are not in this process. */
  void checkHandlers(boolean local) {
    if (handlers != null && !local) {
      throw new UsageException(
          "--handlers works only with -s LOCAL; to a cluster, send the folder of jars with --ship %s, or start its workers with --handlers"
              .formatted(ShellWord.of(handlers.toString())));
    }
  }

  /**
   * Refuses options that contradict each other or the place where the tasks run.
   *
   * @param streamed whether the tasks cannot be read again
   */
  void check(boolean local, boolean streamed) {
    checkHandlers(local);
    checkMaxFailures();
    checkClaim();
    var _ = label.label();
    if (detach && local) {
      throw new UsageException(
          "--detach cannot be combined with -s LOCAL: the tasks run in this process and end with"
              + " it");
    }
    if (detach && (RunFolder.NONE.equals(out) || streamed)) {
      throw new UsageException(
          "--detach cannot be combined with %s: the results could not be collected later"
              .formatted(streamed ? "--stream" : "--out none"));
    }
    if (RunFolder.NONE.equals(out)) {
      collect.checkFolder();
    }
    if (local) {
      fairness().checkLocal();
    }
  }
}
