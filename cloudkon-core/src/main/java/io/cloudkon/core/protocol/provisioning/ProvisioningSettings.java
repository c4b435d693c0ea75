package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerTakes;
import java.util.Map;

/**
 * The settings of a provisioner. Immutable. Times in milliseconds.
 *
 * @param policy how the fleet's size is chosen
 * @param min never fewer workers than this; default 0
 * @param max never more workers than this, booting ones included
 * @param slots slots of a worker that is launched
 * @param takes what such a worker takes on
 * @param interval how often it looks; default 5,000
 * @param bootTimeout how long a launched worker may take until it registers; default 300,000
 * @param cooldown how long to wait after a launch before the next one; default 0
 * @param maxHourly USD an hour that the fleet may cost; infinite if there is no limit
 * @param usdPerHour what one worker that is launched costs at most; 0 if that is not known
 * @param prices USD an hour of the types that may be launched; a worker of another type costs what
 *     a launched one may
 */
public record ProvisioningSettings(
    Policy policy,
    int min,
    int max,
    int slots,
    WorkerTakes takes,
    long interval,
    long bootTimeout,
    long cooldown,
    double maxHourly,
    double usdPerHour,
    Map<String, Double> prices) {

  /** 5 s. */
  public static final long INTERVAL_MILLIS = 5_000;

  /** 5 min. */
  public static final long BOOT_TIMEOUT_MILLIS = 300_000;

  /** How the fleet's size is chosen. */
  public sealed interface Policy {
    /**
     * As many workers as empty the backlog in time.
     *
     * @param target within how many milliseconds; default 300,000
     */
    record DrainTime(long target) implements Policy {
      /** 5 min. */
      public static final long TARGET_MILLIS = 300_000;
    }

    /**
     * As published (CloudKon): each interval the length of the queue is compared with its last one.
     *
     * @param threshold growth in messages above which workers are launched; default 0
     * @param step how many then; default 1
     */
    record Growth(long threshold, int step) implements Policy {
      /** No growth is tolerated. */
      public static final long THRESHOLD = 0;

      /** One worker at a time. */
      public static final int STEP = 1;
    }
  }

  /** All workers are of one type. */
  public ProvisioningSettings(
      Policy policy,
      int min,
      int max,
      int slots,
      WorkerTakes takes,
      long interval,
      long bootTimeout,
      long cooldown,
      double maxHourly,
      double usdPerHour) {
    this(
        policy,
        min,
        max,
        slots,
        takes,
        interval,
        bootTimeout,
        cooldown,
        maxHourly,
        usdPerHour,
        Map.of());
  }

  /** What an hour of a worker of this type costs, in USD. */
  public double usdPerHour(String type) {
    return prices.getOrDefault(type, usdPerHour);
  }

  public ProvisioningSettings {
    prices = Map.copyOf(prices);
    if (min < 0 || max < 1 || min > max || slots < 1) {
      throw new IllegalArgumentException(
          "min %d, max %d, slots %d: expected 0 <= min <= max, max and slots of 1 or more"
              .formatted(min, max, slots));
    }
    if (interval <= 0 || bootTimeout <= 0 || cooldown < 0 || !(maxHourly > 0)) {
      throw new IllegalArgumentException(
          "interval %d ms, boot timeout %d ms, cooldown %d ms, %s USD an hour: expected more than 0, and a cooldown of 0 or more"
              .formatted(interval, bootTimeout, cooldown, maxHourly));
    }
    boolean legal =
        switch (policy) {
          case Policy.DrainTime drain -> drain.target() > 0;
          case Policy.Growth growth -> growth.threshold() >= 0 && growth.step() >= 1;
        };
    if (!legal) {
      throw new IllegalArgumentException(
          "%s: expected a target above 0, a threshold of 0 or more, a step of 1 or more"
              .formatted(policy));
    }
  }
}
