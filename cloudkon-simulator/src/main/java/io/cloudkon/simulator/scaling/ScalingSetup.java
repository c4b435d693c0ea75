package io.cloudkon.simulator.scaling;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;

/**
 * A fleet that grows with its queue. Immutable.
 *
 * @param provisioning what provisioners are told
 * @param lease of who provisions
 * @param worker what launched workers have in common; with a lifetime, but for the origin
 * @param boots how instances come up
 * @param staleMicros how old the depth of a queue may be
 */
public record ScalingSetup(
    ProvisioningSettings provisioning,
    LeaseSettings lease,
    WorkerSetup worker,
    BootSettings boots,
    long staleMicros) {

  /** The defaults: drain time, looks every 5 s, workers that end after 60 s without work. */
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

  /** The same, whose instances come up like that. */
  public ScalingSetup with(BootSettings other) {
    return new ScalingSetup(provisioning, lease, worker, other, staleMicros);
  }

  /** The same, with such workers. */
  public ScalingSetup with(WorkerSetup other) {
    return new ScalingSetup(provisioning, lease, other, boots, staleMicros);
  }

  /** The same, with provisioners that are told this. */
  public ScalingSetup with(ProvisioningSettings other) {
    return new ScalingSetup(other, lease, worker, boots, staleMicros);
  }

  /** The same, where price allows so many launched workers. */
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

  /** The same, where a queue's depth may be so old, in microseconds. */
  public ScalingSetup withStale(long micros) {
    return new ScalingSetup(provisioning, lease, worker, boots, micros);
  }
}
