package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import java.util.List;

/**
 * The maximum number of slots that HPC jobs can get. Manually started workers may have more or
 * fewer slots than launched ones, and each takes one of the places up to the maximum. Pure.
 */
final class ReachableSlots {
  private ReachableSlots() {}

  /**
   * Computes the number.
   *
   * @param working the live workers that stay
   */
  static int of(List<WorkerEntry> working, ProvisioningSettings settings) {
    long slots = live(working);
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

  /**
   * The number while nothing can be launched.
   *
   * @param booting the slots of the workers that boot
   */
  static int withoutLaunches(
      List<WorkerEntry> working, long booting, ProvisioningSettings settings) {
    long coming = settings.takes().jobs() ? booting : 0;
    return (int) Math.min(Integer.MAX_VALUE, live(working) + coming);
  }

  private static long live(List<WorkerEntry> working) {
    return working.stream()
        .filter(worker -> worker.takes().jobs())
        .mapToLong(WorkerEntry::slots)
        .sum();
  }
}
