package io.cloudkon.provisioner.record;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the decisions of a cluster's provisioners and their reasons, newest last. Decisions are
 * kept for 15 days after their last write; the last {@value #LAST} are printed.
 */
public final class DecisionReport {
  private static final int LAST = 1000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private final DecisionStore store;
  private final long now;

  /**
   * A report on this table.
   *
   * @param now the time of the service clock in epoch milliseconds
   */
  public DecisionReport(DecisionStore store, long now) {
    this.store = store;
    this.now = now;
  }

  /** Reads the table: a GetItem, and a BatchGetItem for each 100 decisions. */
  public List<String> lines() {
    return store.provisioner().map(this::lines).orElse(List.of("no provisioner has ever run here"));
  }

  private List<String> lines(ProvisionerEntry entry) {
    List<String> lines = new ArrayList<>();
    String holder = "";
    long first = Math.max(1, entry.nextDecision() - LAST);
    for (Decision decision : store.decisions(first, entry.nextDecision() - 1)) {
      if (!decision.holder().equals(holder)) {
        lines.add(
            holder.isEmpty()
                ? "provisioner " + decision.holder()
                : "handover: from %s to %s".formatted(holder, decision.holder()));
        holder = decision.holder();
      }
      tell(decision, lines);
    }
    if (!entry.holder().equals(holder) && !holder.isEmpty()) {
      lines.add("handover: from %s to %s".formatted(holder, entry.holder()));
    }
    lines.add(now(entry));
    return lines;
  }

  private static void tell(Decision decision, List<String> lines) {
    lines.add(
        "%s  #%d  launch %d: %s"
            .formatted(
                TIME.format(Instant.ofEpochMilli(decision.atMillis())),
                decision.number(),
                decision.count(),
                decision.reason()));
    if (!decision.observation().isEmpty()) {
      lines.add("    seen: " + decision.observation());
    }
    lines.add("    token %s, %s".formatted(decision.token(), granted(decision)));
    if (!decision.error().isEmpty()) {
      lines.add("    " + decision.error());
    }
  }

  private static String granted(Decision decision) {
    return switch (decision.state()) {
      case INTENDED -> "intended; it is not known yet whether it was launched";
      case LAUNCHED ->
          "granted %d (%s); some of them are booting"
              .formatted(decision.instances().size(), String.join(", ", decision.instances()));
      case CLOSED ->
          decision.instances().isEmpty()
              ? "nothing granted; closed"
              : "granted %d (%s); closed after %d s"
                  .formatted(
                      decision.instances().size(),
                      String.join(", ", decision.instances()),
                      (decision.updatedMillis() - decision.atMillis()) / 1000);
    };
  }

  private String now(ProvisionerEntry entry) {
    String who = "%s on %s".formatted(entry.holder(), entry.host());
    String at = TIME.format(Instant.ofEpochMilli(entry.updatedMillis()));
    Fleet fleet = entry.fleet();
    if (!entry.livesAt(now)) {
      return "%s  no provisioner has decided since; the last was %s".formatted(at, who);
    }
    return "%s  %s decides (%s launcher, %d to %d workers): wants %d, %d live, %d booting: %s"
        .formatted(
            at,
            who,
            entry.settings().launcher(),
            entry.settings().min(),
            entry.settings().max(),
            fleet.wanted(),
            fleet.live(),
            fleet.booting(),
            fleet.reason());
  }
}
