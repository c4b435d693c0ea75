package io.cloudkon.worker.lifetime;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.idle.IdleSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which a worker ends itself. Immutable.
 *
 * @param idleTimeout how long it must have nothing to do, while no job waits for slots, before it
 *     ends; null means that it does not end when idle
 * @param billingMinimum the time that is paid for in any case, before which it does not end when
 *     idle; default 60 s
 * @param billingPeriod the length of the periods that are paid for as a whole; default 1 s, which
 *     means no period
 * @param renewalWindow the last part of a paid period, outside which an idle worker does not end;
 *     default 5 min. Applies only if a period is longer than a second
 * @param maxLifetime the time after which it ends even if it has work; null means never
 * @param keepsMinimum whether it stays if the provisioner's minimum needs it
 */
public record LifetimeConfig(
    @Nullable Duration idleTimeout,
    Duration billingMinimum,
    Duration billingPeriod,
    Duration renewalWindow,
    @Nullable Duration maxLifetime,
    boolean keepsMinimum) {
  /** 60 s. */
  public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(60);

  /** 60 s: the minimum time that EC2 bills. */
  public static final Duration DEFAULT_BILLING_MINIMUM = Duration.ofSeconds(60);

  /** 1 s: EC2 bills by the second. */
  public static final Duration DEFAULT_BILLING_PERIOD = Duration.ofSeconds(1);

  /**
   * 5 min: enough to drain before the period ends, and for the boot time by which the worker counts
   * its age too short.
   */
  public static final Duration DEFAULT_RENEWAL_WINDOW = Duration.ofMinutes(5);

  /** The settings of a worker that works until it is told to leave. */
  public static final LifetimeConfig FOR_EVER =
      new LifetimeConfig(
          null,
          DEFAULT_BILLING_MINIMUM,
          DEFAULT_BILLING_PERIOD,
          DEFAULT_RENEWAL_WINDOW,
          null,
          false);

  /** The maximum time that an unreadable ledger keeps a worker of a script. */
  private static final Duration SCRIPT_PATIENCE = Duration.ofSeconds(60);

  /**
   * The same for other workers. If fewer workers than the minimum remain, the provisioner replaces
   * them; but if all workers left in a short outage, booting them again would cost money.
   */
  private static final Duration FLEET_PATIENCE = Duration.ofMinutes(5);

  public LifetimeConfig {
    boolean periods = billingPeriod.toMillis() > IdleSettings.NO_PERIOD;
    if ((idleTimeout != null && idleTimeout.isNegative())
        || billingMinimum.isNegative()
        || !billingPeriod.isPositive()
        || (periods && !renewalWindow.isPositive())
        || (maxLifetime != null && !maxLifetime.isPositive())) {
      throw new IllegalArgumentException(
          "idle timeout %s, billing minimum %s, period %s, renewal window %s, lifetime %s: expected an idle timeout and a minimum of 0 or more, and other times above 0"
              .formatted(idleTimeout, billingMinimum, billingPeriod, renewalWindow, maxLifetime));
    }
  }

  /**
   * Settings for scripts: ends after that time without work, regardless of billing and of the
   * fleet's minimum.
   */
  public static LifetimeConfig exitWhenIdle(@Nullable Duration idle) {
    return new LifetimeConfig(
        idle, Duration.ZERO, DEFAULT_BILLING_PERIOD, DEFAULT_RENEWAL_WINDOW, null, false);
  }

  /** The same settings with this maximum lifetime. */
  public LifetimeConfig withMaxLifetime(@Nullable Duration longest) {
    return new LifetimeConfig(
        idleTimeout, billingMinimum, billingPeriod, renewalWindow, longest, keepsMinimum);
  }

  /** The settings for the state machine of this worker. */
  IdleSettings settings(String worker, LeaseSettings lease, boolean jobs) {
    return new IdleSettings(
        worker,
        idleTimeout == null ? IdleSettings.NEVER : idleTimeout.toMillis(),
        billingMinimum.toMillis(),
        billingPeriod.toMillis(),
        renewalWindow.toMillis(),
        maxLifetime == null ? IdleSettings.NEVER : maxLifetime.toMillis(),
        jobs,
        keepsMinimum,
        lease,
        (keepsMinimum ? FLEET_PATIENCE : SCRIPT_PATIENCE).toMillis());
  }
}
