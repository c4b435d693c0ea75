package io.cloudkon.provisioner.cli;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** A picocli mixin with the options for the size of the fleet. */
final class PolicyOptions {
  /** The names of the policies on the command line. */
  enum Named {
    DRAIN_TIME,
    GROWTH
  }

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      converter = Policies.class,
      description = "drain-time or growth of the queue. Default: drain-time.")
  Named policy = Named.DRAIN_TIME;

  @Option(
      names = "--target",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "drain-time: empty the backlog within this. Default: 5m.")
  @Nullable Duration target;

  @Option(
      names = "--threshold",
      paramLabel = "N",
      description = "growth: more messages than this, each interval. Default: 0.")
  @Nullable Long threshold;

  @Option(
      names = "--step",
      paramLabel = "N",
      description = "growth: number of workers to launch then. Default: 1.")
  @Nullable Integer step;

  Policy policy() {
    return switch (policy) {
      case DRAIN_TIME -> {
        refuse("--threshold", threshold, Named.GROWTH);
        refuse("--step", step, Named.GROWTH);
        Duration within =
            target == null ? Duration.ofMillis(Policy.DrainTime.TARGET_MILLIS) : target;
        yield new Policy.DrainTime(Times.positive("--target", within));
      }
      case GROWTH -> {
        refuse("--target", target, Named.DRAIN_TIME);
        long above = threshold == null ? Policy.Growth.THRESHOLD : threshold;
        int launched = step == null ? Policy.Growth.STEP : step;
        if (above < 0) {
          throw new UsageException("--threshold %d: expected 0 or more".formatted(above));
        }
        if (launched < 1) {
          throw new UsageException("--step %d: expected 1 or more".formatted(launched));
        }
        yield new Policy.Growth(above, launched);
      }
    };
  }

  private static void refuse(String option, @Nullable Object value, Named wanted) {
    if (value != null) {
      throw new UsageException(
          "%s works only with --policy %s".formatted(option, Labels.of(wanted)));
    }
  }

  /** Converts policies for picocli. */
  static final class Policies implements ITypeConverter<Named> {
    @Override
    public Named convert(String text) throws Exception {
      return Labels.converter(Named.class).convert(text);
    }
  }
}
