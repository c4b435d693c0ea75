package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;

/**
 * The settings of a provisioner process. Immutable.
 *
 * @param id unique among provisioners
 * @param host the machine and process, for display
 * @param settings the settings of its decisions
 * @param lease the duration of its lease; default 15 s
 */
public record ProvisionerConfig(
    String id, String host, ProvisioningSettings settings, LeaseSettings lease) {

  /** The part of the settings that is published to workers and users. */
  ProvisionerEntry.Settings published(String launcher) {
    return new ProvisionerEntry.Settings(
        launcher, settings.min(), settings.max(), settings.slots(), settings.takes());
  }
}
