package io.cloudkon.client.status;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.price.Money;
import io.cloudkon.core.process.Launcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Describes a cluster's provisioner in words, for the status and for users who wait for a worker
 * that may be booting. Stateless.
 */
public final class ProvisionerText {
  private ProvisionerText() {}

  /**
   * Lines about its state; none if there is no provisioner or it stopped in good order.
   *
   * @param workers the number of live workers, as the reader sees it elsewhere
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
          "  its workers cost %s an hour, %s %s"
              .formatted(
                  Money.text(fleet.usdPerHour()),
                  Money.text(fleet.spentUsd()),
                  fleet.spentSince() == 0
                      ? "so far"
                      : "since it began %s ago".formatted(Say.span(now - fleet.spentSince()))));
    }
    if (!fleet.failures().isEmpty()) {
      lines.add("  launches that failed: " + failures(fleet));
    }
  }

  /** A note that it has been silent for a while, so that its entry is old; else empty. */
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
    return "Provisioner %s stopped responding %s ago: no workers are launched unless another one takes over"
        .formatted(entry.host(), Say.span(now - entry.leaseEnd()));
  }

  /** Text such as {@code 2 workers have been booting for 40 s}; empty if none boots. */
  static Optional<String> booting(ProvisionerEntry.Fleet fleet, long now) {
    return fleet.booting() == 0
        ? Optional.empty()
        : Optional.of(
            "%s %s been booting for %s"
                .formatted(
                    Say.count(fleet.booting(), "worker"),
                    fleet.booting() == 1 ? "has" : "have",
                    Say.span(now - fleet.bootingSince())));
  }

  /** How to help HPC jobs if no live worker takes them and no provisioner launches any. */
  public static String startForJobs(String cluster) {
    return "No live worker takes HPC jobs (worker --roles); start one that does with: %s worker -s %s"
        .formatted(Launcher.name(), cluster);
  }

  /**
   * The text that follows "No worker is alive;" for a user whose tasks wait: how many workers boot,
   * or else why none does, or how to start one if no provisioner launches any.
   *
   * @param kinds the kinds of the work; empty if unknown
   * @param job whether it is an HPC job
   */
  public static String help(
      ProvisionerStatus status, String cluster, Set<Work.Kind> kinds, boolean job) {
    String start = "start one with: %s worker -s %s".formatted(Launcher.name(), cluster);
    Optional<ProvisionerEntry> live = status.live();
    if (live.isEmpty()) {
      return start
          + ", or as many as its work needs with: %s provisioner -s %s --launcher process --max 4"
              .formatted(Launcher.name(), cluster);
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
        ? "the provisioner (%s) launches workers when it finds work".formatted(entry.host())
        : "the provisioner (%s) reports: %s".formatted(entry.host(), fleet.reason());
  }

  /**
   * Sentences about what the provisioner does about a backlog; none if no provisioner is active.
   *
   * @param workers the number of live workers
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
                      workers == 1 ? "is alive" : "are alive",
                      booting(fleet, status.atMillis()).map(boot -> "; " + boot).orElse(""),
                      fleet.reason().isBlank() ? "" : ": " + fleet.reason()));
        })
        .orElse(List.of());
  }
}
