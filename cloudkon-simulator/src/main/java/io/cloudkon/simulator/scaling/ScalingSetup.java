package io.cloudkon.simulator.scaling;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;

/**
 * The parameters of a fleet that grows with its queue. Immutable.
 *
 * @param provisioning the provisioners' settings
 * @param lease the settings of the provisioners' lease
 * @param worker the settings that launched workers share; complete but for the lifetime's origin
 * @param boots how instances boot
 * @param staleMicros the maximum age of a reported queue depth
 */
public record ScalingSetup(
    ProvisioningSettings provisioning,
    LeaseSettings lease,
    WorkerSetup worker,
    BootSettings boots,
    long staleMicros) {

  /**
   * The defaults: the drain-time policy, an observation every 5 s, and workers that end after 60 s
   * without work.
   */
  public static ScalingSetup of(int min, int max, int slots) {
    return new ScalingSetup(
        new ProvisioningSettings(
            new ProvisioningSettings.Policy.DrainTime(
                ProvisioningSettings.Policy.DrainTime.TARGET_MILLIS),
            min,
            max,
            slots,
            WorkerTakes.ALL,
            ProvisioningSettings.INTERVAL_MILLIS,
            ProvisioningSettings.BOOT_TIMEOUT_MILLIS,
            0,
            Double.POSITIVE_INFINITY,
            0),
        LeaseSettings.DEFAULT,
        WorkerSetup.of(slots).with(WorkerSetup.Lifetime.of(WorkerOrigin.BY_HAND)),
        BootSettings.CALM,
        0);
  }

  /** A copy with other boot settings. */
  public ScalingSetup with(BootSettings other) {
    return new ScalingSetup(provisioning, lease, worker, other, staleMicros);
  }

  /** A copy with other worker settings. */
  public ScalingSetup with(WorkerSetup other) {
    return new ScalingSetup(provisioning, lease, other, boots, staleMicros);
  }

  /** A copy with other provisioning settings. */
  public ScalingSetup with(ProvisioningSettings other) {
    return new ScalingSetup(other, lease, worker, boots, staleMicros);
  }

  /** A copy in which the price limit allows this number of launched workers. */
  public ScalingSetup withAffordable(int workers) {
    return with(
        new ProvisioningSettings(
            provisioning.policy(),
            provisioning.min(),
            provisioning.max(),
            provisioning.slots(),
            provisioning.takes(),
            provisioning.interval(),
            provisioning.bootTimeout(),
            provisioning.cooldown(),
            workers,
            1));
  }

  /** A copy in which a reported queue depth may be this old, in microseconds. */
  public ScalingSetup withStale(long micros) {
    return new ScalingSetup(provisioning, lease, worker, boots, micros);
  }
}
