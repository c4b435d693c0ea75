package io.cloudkon.worker.cli;

import io.cloudkon.core.config.Durations;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.idle.IdleSettings;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that determine when a worker ends itself, as a picocli mixin. */
final class LifetimeOptions {

  @Option(
      names = "--exit-when-idle",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "End after this long without work. Default: never.")
  @Nullable Duration exitWhenIdle;

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description =
          "End after being idle this long, above the fleet's minimum. Default: 60s if launched.")
  @Nullable Duration idleTimeout;

  @Option(
      names = "--billing-minimum",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Minimum billed time: do not end earlier. Default: 60s.")
  @Nullable Duration billingMinimum;

  @Option(
      names = "--billing-period",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Period that is billed as a whole. Default: 1s.")
  @Nullable Duration billingPeriod;

  @Option(
      names = "--renewal-window",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "End idle only in this last part of a period. Default: 5m.")
  @Nullable Duration renewalWindow;

  @Option(
      names = "--max-lifetime",
      paramLabel = "TIME",
      converter = Durations.WithUnit.class,
      description = "Drain and end after this long. Default: never.")
  @Nullable Duration maxLifetime;

  /**
   * The lifetime settings of a worker.
   *
   * @param origin the worker's origin; a launched worker ends itself unless told otherwise
   * @param known whether the origin is fully known; if not, the worker may turn out to have been
   *     launched, so that billing options are not an error
   */
  LifetimeConfig config(WorkerOrigin origin, boolean known) {
    refuseZero("--idle-timeout", idleTimeout);
    refuseZero("--max-lifetime", maxLifetime);
    if (exitWhenIdle != null) {
      if (idleTimeout != null) {
        throw new UsageException(
            "--exit-when-idle cannot be combined with --idle-timeout: the first is for scripts, the"
                + " second for fleets");
      }
      refuseBilling("--exit-when-idle does not consider the bill");
      return LifetimeConfig.exitWhenIdle(exitWhenIdle).withMaxLifetime(maxLifetime);
    }
    if (idleTimeout == null && !origin.launched()) {
      if (known) {
        refuseBilling("give --idle-timeout too: this worker does not end when it is idle");
      }
      return LifetimeConfig.FOR_EVER.withMaxLifetime(maxLifetime);
    }
    Duration period = orElse(billingPeriod, LifetimeConfig.DEFAULT_BILLING_PERIOD);
    return new LifetimeConfig(
        orElse(idleTimeout, LifetimeConfig.DEFAULT_IDLE_TIMEOUT),
        orElse(billingMinimum, LifetimeConfig.DEFAULT_BILLING_MINIMUM),
        period,
        window(period),
        maxLifetime,
        true);
  }

  private Duration window(Duration period) {
    refuseZero("--billing-period", billingPeriod);
    refuseZero("--renewal-window", renewalWindow);
    if (renewalWindow == null) {
      Duration usual = LifetimeConfig.DEFAULT_RENEWAL_WINDOW;
      return period.compareTo(usual) < 0 ? period : usual;
    }
    if (period.toMillis() <= IdleSettings.NO_PERIOD) {
      throw new UsageException(
          "--renewal-window %s: expected a --billing-period longer than 1s as well"
              .formatted(Durations.format(renewalWindow)));
    }
    if (renewalWindow.compareTo(period) > 0) {
      throw new UsageException(
          "--renewal-window %s: expected at most the --billing-period, %s"
              .formatted(Durations.format(renewalWindow), Durations.format(period)));
    }
    return renewalWindow;
  }

  private static Duration orElse(@Nullable Duration value, Duration otherwise) {
    return value == null ? otherwise : value;
  }

  private static void refuseZero(String option, @Nullable Duration value) {
    if (value != null && value.isZero()) {
      throw new UsageException("%s 0: expected a time above 0, such as 60s".formatted(option));
    }
  }

  private void refuseBilling(String why) {
    refuse("--billing-minimum", billingMinimum, why);
    refuse("--billing-period", billingPeriod, why);
    refuse("--renewal-window", renewalWindow, why);
  }

  private static void refuse(String option, @Nullable Duration value, String why) {
    if (value != null) {
      throw new UsageException("%s %s: %s".formatted(option, Durations.format(value), why));
    }
  }
}
