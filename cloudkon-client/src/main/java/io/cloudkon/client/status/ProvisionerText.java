package io.cloudkon.client.status;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.price.Money;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster's provisioner in words: for its status, and for everybody who waits for a worker that
 * may be booting. Stateless.
 */
public final class ProvisionerText {
  private ProvisionerText() {}

  /**
   * How it stands, in lines; none where there is no provisioner, or it stopped in good order.
   *
   * @param workers how many live, as whoever reads this sees them too
   */
  static List<String> lines(ProvisionerStatus status, int workers) {
    List<String> lines = new ArrayList<>();
    status.live().ifPresent(entry -> live(lines, entry, workers, status.atMillis()));
    status.gone().ifPresent(entry -> lines.add(gone(entry, status.atMillis())));
    return lines;
  }

  private static void live(List<String> lines, ProvisionerEntry entry, int workers, long now) {
    ProvisionerEntry.Fleet fleet = entry.fleet();
    lines.add(
        "Provisioner %s%s: %s wanted, %s live%s"
            .formatted(
                entry.host(),
                quiet(entry, now),
                Say.count(fleet.wanted(), "worker"),
                Say.number(workers),
                booting(fleet, now).map(boot -> ", " + boot).orElse("")));
    if (!fleet.reason().isBlank()) {
      lines.add("  " + Say.sentence(fleet.reason()));
    }
    if (fleet.usdPerHour() > 0 || fleet.spentUsd() > 0) {
      lines.add(
          "  its workers cost %s an hour, %s so far"
              .formatted(Money.text(fleet.usdPerHour()), Money.text(fleet.spentUsd())));
    }
    if (!fleet.failures().isEmpty()) {
      lines.add("  launches that failed: " + failures(fleet));
    }
  }

  /** That it has not been heard of for a while: what it says is as old. */
  private static String quiet(ProvisionerEntry entry, long now) {
    long silent = now - entry.updatedMillis();
    return silent < StatusText.QUIET_MILLIS ? "" : ", silent for %s".formatted(Say.span(silent));
  }

  private static String failures(ProvisionerEntry.Fleet fleet) {
    List<String> reasons = new ArrayList<>();
    new TreeMap<>(fleet.failures())
        .forEach((reason, count) -> reasons.add("%s (%s)".formatted(reason, Say.number(count))));
    return String.join(", ", reasons);
  }

  private static String gone(ProvisionerEntry entry, long now) {
    return "Provisioner %s ended without a word %s ago: no workers are launched unless another one takes over"
        .formatted(entry.host(), Say.span(now - entry.leaseEnd()));
  }

  /** {@code 2 workers boot since 40 s}; empty if none does. */
  static Optional<String> booting(ProvisionerEntry.Fleet fleet, long now) {
    return fleet.booting() == 0
        ? Optional.empty()
        : Optional.of(
            "%s %s since %s"
                .formatted(
                    Say.count(fleet.booting(), "worker"),
                    fleet.booting() == 1 ? "boots" : "boot",
                    Say.span(now - fleet.bootingSince())));
  }

  /**
   * What there is to be said, behind "No worker lives;", to somebody whose tasks wait: how many
   * boot, else why none does, and only where nobody launches any how to start one.
   *
   * @param kinds what the work consists of; empty if that is not known
   * @param job whether it is an HPC job
   */
  public static String help(
      ProvisionerStatus status, String cluster, Set<Work.Kind> kinds, boolean job) {
    String start = "start one with: cloudkon worker -s " + cluster;
    Optional<ProvisionerEntry> live = status.live();
    if (live.isEmpty()) {
      return start
          + ", or as many as its work needs with: cloudkon provisioner -s %s --launcher process --max 4"
              .formatted(cluster);
    }
    Optional<String> refusal = status.refusal(kinds, job);
    if (refusal.isPresent()) {
      return "the provisioner (%s) launches no worker that %s; %s"
          .formatted(live.get().host(), refusal.get(), start);
    }
    ProvisionerEntry.Fleet fleet = live.get().fleet();
    return booting(fleet, status.atMillis()).orElseGet(() -> waits(live.get(), fleet));
  }

  private static String waits(ProvisionerEntry entry, ProvisionerEntry.Fleet fleet) {
    return fleet.reason().isBlank()
        ? "the provisioner (%s) launches some as it finds work".formatted(entry.host())
        : "the provisioner (%s) says: %s".formatted(entry.host(), fleet.reason());
  }

  /**
   * What the provisioner does about a backlog, as sentences; none where none is at work.
   *
   * @param workers how many live
   */
  public static List<String> backlog(ProvisionerStatus status, int workers) {
    return status
        .live()
        .map(entry -> {
          ProvisionerEntry.Fleet fleet = entry.fleet();
          return List.of(
              "The provisioner (%s%s) wants %s, and %s %s%s%s."
                  .formatted(
                      entry.host(),
                      quiet(entry, status.atMillis()),
                      Say.count(fleet.wanted(), "worker"),
                      Say.number(workers),
                      workers == 1 ? "lives" : "live",
                      booting(fleet, status.atMillis()).map(boot -> "; " + boot).orElse(""),
                      fleet.reason().isBlank() ? "" : ": " + fleet.reason()));
        })
        .orElse(List.of());
  }
}
