package io.cloudkon.client.status;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provisioner of a cluster at one moment.
 *
 * @param entry its last entry; null if there never was one
 * @param atMillis when this was read; service clock, epoch milliseconds
 */
public record ProvisionerStatus(@Nullable ProvisionerEntry entry, long atMillis) {
  /** The status without a provisioner. */
  public static final ProvisionerStatus NONE = new ProvisionerStatus(null, 0);

  /** Reads the status with one call; there is none if an older cluster lacks the table. */
  public static ProvisionerStatus read(DecisionStore decisions, long nowMillis) {
    try {
      return new ProvisionerStatus(decisions.provisioner().orElse(null), nowMillis);
    } catch (MissingResourceException e) {
      return NONE;
    }
  }

  /** The active provisioner; empty if there is none. */
  public Optional<ProvisionerEntry> live() {
    return Optional.ofNullable(entry).filter(written -> written.livesAt(atMillis));
  }

  /**
   * A provisioner that is no longer active but did not stop in good order: it died, or is cut off.
   */
  public Optional<ProvisionerEntry> gone() {
    return Optional.ofNullable(entry)
        .filter(written -> !written.livesAt(atMillis))
        .filter(written -> written.leaseEnd() > written.updatedMillis());
  }

  /**
   * The maximum number of slots for HPC jobs on the workers that it may launch; 0 if none is
   * active.
   */
  public int slotsForJobs() {
    return live()
        .filter(written -> written.settings().takes().jobs())
        .map(ProvisionerEntry::mostSlots)
        .orElse(0);
  }

  /**
   * Why no more workers than {@link #slotsForJobs} counts can be launched for jobs, in the words of
   * the launcher; empty if more can.
   */
  public Optional<String> refusedLaunches() {
    return live().map(written -> written.fleet().refusal()).filter(words -> !words.isEmpty());
  }

  /**
   * Why the workers that it launches cannot take work of these kinds; empty if they can, or if no
   * provisioner is active.
   */
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
