package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.time.Moment;
import java.util.List;

/**
 * Decides how many workers a cluster should have. Observations in, launches and reasons out. Pure;
 * used by one thread at a time. A new one takes over from an old one without harm: what it must
 * know is in the observation.
 */
public final class ProvisioningMachine {
  private final ProvisioningSettings settings;

  public ProvisioningMachine(ProvisioningSettings settings) {
    this.settings = settings;
  }

  /** Decides by what was seen. */
  public Plan decide(Observation seen, Moment now) {
    throw new IllegalStateException("to be written for " + settings);
  }

  /** A launch was answered: so many were granted of those asked for, and why not more. */
  public void launched(
      int asked, int granted, List<InstanceLauncher.Failure> failures, Moment now) {
    throw new IllegalStateException("to be written");
  }
}
