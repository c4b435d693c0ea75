package io.cloudkon.worker.lifetime;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.idle.IdleSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which a worker ends itself. Immutable.
 *
 * @param idleTimeout how long it has nothing to do, and no job waits for slots, before it ends;
 *     null means that it does not
 * @param billingMinimum for how long it is paid in any case: it does not end for being idle before;
 *     default 60 s
 * @param billingPeriod it is paid for whole periods of this length; default 1 s, which is no period
 * @param renewalWindow the last part of a paid period, in which alone an idle worker ends; default
 *     5 min. Counts only where a period is longer than a second
 * @param maxLifetime after how long it ends even if it has work; null means never
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

  /** 60 s: EC2 bills at least so much. */
  public static final Duration DEFAULT_BILLING_MINIMUM = Duration.ofSeconds(60);

  /** 1 s: EC2 bills by the second. */
  public static final Duration DEFAULT_BILLING_PERIOD = Duration.ofSeconds(1);

  /** 5 min: time to boot, by which the worker counts late, and to drain, before the period ends. */
  public static final Duration DEFAULT_RENEWAL_WINDOW = Duration.ofMinutes(5);

  /** It works until it is told to leave. */
  public static final LifetimeConfig FOR_EVER =
      new LifetimeConfig(
          null,
          DEFAULT_BILLING_MINIMUM,
          DEFAULT_BILLING_PERIOD,
          DEFAULT_RENEWAL_WINDOW,
          null,
          false);

  /** A ledger that cannot be read keeps no worker of a script for longer than this. */
  private static final Duration SCRIPT_PATIENCE = Duration.ofSeconds(60);

  /**
   * Nor any other worker for longer than this. That fewer than the minimum may be left then is
   * mended by the provisioner; that all of them leave in a short outage and boot again is not free.
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
          "idle timeout %s, billing minimum %s, period %s, renewal window %s, lifetime %s: expected times above 0"
              .formatted(idleTimeout, billingMinimum, billingPeriod, renewalWindow, maxLifetime));
    }
  }

  /** Ends after so long without work, whatever was paid and however few are left: for scripts. */
  public static LifetimeConfig exitWhenIdle(@Nullable Duration idle) {
    return new LifetimeConfig(
        idle, Duration.ZERO, DEFAULT_BILLING_PERIOD, DEFAULT_RENEWAL_WINDOW, null, false);
  }

  /** The same, and it ends after so long even if it has work. */
  public LifetimeConfig withMaxLifetime(@Nullable Duration longest) {
    return new LifetimeConfig(
        idleTimeout, billingMinimum, billingPeriod, renewalWindow, longest, keepsMinimum);
  }

  /** What the machine of this worker is told. */
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
