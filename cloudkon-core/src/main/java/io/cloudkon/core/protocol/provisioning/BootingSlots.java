package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.protocol.provisioning.BootTable.Boots;

/**
 * The slots that booting workers will have. Where instance types differ in size, a worker counts
 * with those of its type as soon as its instance is listed, and with the most of any type before:
 * for slots that were requested already, nothing more may be launched. Pure.
 */
final class BootingSlots {
  private BootingSlots() {}

  /** The slots of all booting workers of a reading. */
  static long of(Boots boots, FleetObservation seen, ProvisioningSettings settings) {
    long slots = 0;
    int left = boots.booting();
    for (LaunchedInstance one : seen.instances()) {
      String key = BootTable.key(one.launch(), one.id());
      boolean isBooting =
          one.exists() && boots.expected().contains(key) && !boots.overdue().contains(key);
      if (left > 0 && isBooting) {
        slots += settings.slots(one.type());
        left--;
      }
    }
    return slots + (long) left * settings.mostSlots();
  }
}
