package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerTakes;
import java.util.Map;

/**
 * The settings of a provisioner. Immutable. Times in milliseconds.
 *
 * @param policy the policy for the size of the fleet
 * @param min the minimum number of workers; default 0
 * @param max the maximum number of workers, including booting ones
 * @param slots the slots of a launched worker; the fewest if its type is not known in advance
 * @param takes the work that a launched worker accepts
 * @param interval the time between two readings; default 5,000
 * @param bootTimeout the time within which a launched worker must register; default 300,000
 * @param cooldown the minimum time between two launches; default 0
 * @param maxHourly the maximum cost of the fleet in USD an hour; infinite if there is no limit
 * @param usdPerHour the maximum price of a launched worker in USD an hour; 0 if it is not known
 * @param prices the prices of the types that may be launched, in USD an hour; a worker of another
 *     type counts with {@code usdPerHour}
 * @param typeSlots the slots of the types that may be launched; a type that is not in it has {@code
 *     slots}
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
    Map<String, Double> prices,
    Map<String, Integer> typeSlots) {

  /** 5 s. */
  public static final long INTERVAL_MILLIS = 5_000;

  /** 5 min. */
  public static final long BOOT_TIMEOUT_MILLIS = 300_000;

  /** The policy for the size of the fleet. */
  public sealed interface Policy {
    /**
     * As many workers as are needed to finish the backlog in time.
     *
     * @param target the time in milliseconds; default 300,000
     */
    record DrainTime(long target) implements Policy {
      /** 5 min. */
      public static final long TARGET_MILLIS = 300_000;
    }

    /**
     * As published (CloudKon): each interval the length of the queue is compared with its last one.
     *
     * @param threshold the growth in messages above which workers are launched; default 0
     * @param step the number of workers that are launched then; default 1
     */
    record Growth(long threshold, int step) implements Policy {
      /** No growth is tolerated. */
      public static final long THRESHOLD = 0;

      /** One worker at a time. */
      public static final int STEP = 1;
    }
  }

  /** Settings with a single type of workers. */
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
        Map.of(),
        Map.of());
  }

  /** The slots of a worker of this type. */
  public int slots(String type) {
    return typeSlots.getOrDefault(type, slots);
  }

  /** The most slots that a launched worker may have. */
  public int mostSlots() {
    return typeSlots.values().stream().mapToInt(Integer::intValue).reduce(slots, Math::max);
  }

  /** The price of a worker of this type in USD an hour. */
  public double usdPerHour(String type) {
    return prices.getOrDefault(type, usdPerHour);
  }

  public ProvisioningSettings {
    prices = Map.copyOf(prices);
    typeSlots = Map.copyOf(typeSlots);
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
