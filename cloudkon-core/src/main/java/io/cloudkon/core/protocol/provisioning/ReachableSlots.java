package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/**
 * The slots that HPC jobs can get at most: workers by hand may have more or fewer slots than
 * launched ones, and take one of the places up to the maximum. Pure.
 */
final class ReachableSlots {
  private ReachableSlots() {}

  /**
   * Counts them.
   *
   * @param working live workers that stay
   */
  static int of(List<WorkerEntry> working, ProvisioningSettings settings) {
    long slots =
        working.stream()
            .filter(worker -> worker.takes().jobs())
            .mapToLong(WorkerEntry::slots)
            .sum();
    if (settings.takes().jobs()) {
      double paid =
          working.stream()
              .filter(worker -> worker.origin().launched())
              .mapToDouble(worker -> settings.usdPerHour(worker.origin().type()))
              .sum();
      long more =
          Math.min(settings.max() - working.size(), LaunchLimits.affordable(paid, settings));
      slots += Math.max(0, more) * settings.slots();
    }
    return (int) Math.min(Integer.MAX_VALUE, slots);
  }
}
