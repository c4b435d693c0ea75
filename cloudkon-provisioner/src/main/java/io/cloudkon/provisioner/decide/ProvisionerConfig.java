package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;

/**
 * The settings of a provisioner process. Immutable.
 *
 * @param id unique among provisioners
 * @param host where it runs, for people
 * @param settings what it decides by
 * @param lease how long its lease runs; default 15 s
 */
public record ProvisionerConfig(
    String id, String host, ProvisioningSettings settings, LeaseSettings lease) {

  /** As workers and people are to know it. */
  ProvisionerEntry.Settings published(String launcher) {
    return new ProvisionerEntry.Settings(
        launcher, settings.min(), settings.max(), settings.slots(), settings.takes());
  }
}
