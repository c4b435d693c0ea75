package io.cloudkon.client.status;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's provisioner at one moment.
 *
 * @param entry as it wrote it last; null if there never was one
 * @param atMillis when this was read; service clock, epoch milliseconds
 */
public record ProvisionerStatus(@Nullable ProvisionerEntry entry, long atMillis) {
  /** Where there is none. */
  public static final ProvisionerStatus NONE = new ProvisionerStatus(null, 0);

  /** Reads it: one call. A cluster of an older version may lack the table; it has none then. */
  public static ProvisionerStatus read(DecisionStore decisions, long nowMillis) {
    try {
      return new ProvisionerStatus(decisions.provisioner().orElse(null), nowMillis);
    } catch (MissingResourceException e) {
      return NONE;
    }
  }

  /** The provisioner that is at work; empty if none is. */
  public Optional<ProvisionerEntry> live() {
    return Optional.ofNullable(entry).filter(written -> written.livesAt(atMillis));
  }

  /** One that is at work no more and did not say so: it died, or is cut off. */
  public Optional<ProvisionerEntry> gone() {
    return Optional.ofNullable(entry)
        .filter(written -> !written.livesAt(atMillis))
        .filter(written -> written.leaseEnd() > written.updatedMillis());
  }

  /** The most slots that HPC jobs can get with what it may launch; 0 if none is at work. */
  public int slotsForJobs() {
    return live()
        .filter(written -> written.settings().takes().jobs())
        .map(ProvisionerEntry::mostSlots)
        .orElse(0);
  }

  /** Why what it launches cannot take work of these kinds; empty if it can, or none is at work. */
  Optional<String> refusal(Set<Work.Kind> kinds, boolean job) {
    return live()
        .map(ProvisionerEntry::settings)
        .flatMap(settings -> refusal(settings, kinds, job));
  }

  private static Optional<String> refusal(
      ProvisionerEntry.Settings settings, Set<Work.Kind> kinds, boolean job) {
    if (job ? !settings.takes().jobs() : !settings.takes().tasks()) {
      return Optional.of(
          "takes %s (provisioner --worker-roles)".formatted(job ? "HPC jobs" : "tasks"));
    }
    return settings.takes().runs(kinds)
        ? Optional.empty()
        : Optional.of(
            "runs %s%s (provisioner --worker-allow)"
                .formatted(
                    kinds.size() > 1 ? "all of " : "",
                    String.join(
                        ", ",
                        kinds.stream().sorted().map(kind -> Say.lower(kind.name())).toList())));
  }
}
