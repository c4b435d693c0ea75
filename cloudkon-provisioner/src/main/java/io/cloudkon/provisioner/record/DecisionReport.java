package io.cloudkon.provisioner.record;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * The same for programs, by one read of the table likewise: the decisions, and the provisioner
   * that decides or decided last, which is null if there has never been one.
   */
  public Map<String, @Nullable Object> facts(String cluster) {
    Optional<ProvisionerEntry> entry = store.provisioner();
    Map<String, @Nullable Object> facts = new LinkedHashMap<>();
    facts.put("cluster", cluster);
    facts.put("provisioner", entry.map(this::facts).orElse(null));
    facts.put(
        "decisions",
        entry.map(this::last).orElse(List.of()).stream().map(DecisionReport::facts).toList());
    return facts;
  }

  private Map<String, Object> facts(ProvisionerEntry entry) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("id", entry.holder());
    facts.put("host", entry.host());
    facts.put("alive", entry.livesAt(now));
    facts.put("launcher", entry.settings().launcher());
    facts.put("min", entry.settings().min());
    facts.put("max", entry.settings().max());
    facts.put("wanted", entry.fleet().wanted());
    facts.put("live", entry.fleet().live());
    facts.put("booting", entry.fleet().booting());
    facts.put("reason", entry.fleet().reason());
    facts.put("updatedAt", Instant.ofEpochMilli(entry.updatedMillis()).toString());
    return facts;
  }

  private static Map<String, Object> facts(Decision decision) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("number", decision.number());
    facts.put("provisioner", decision.holder());
    facts.put("at", Instant.ofEpochMilli(decision.atMillis()).toString());
    facts.put("count", decision.count());
    facts.put("reason", decision.reason());
    facts.put("seen", decision.observation());
    facts.put("token", decision.token());
    facts.put("state", decision.state().name());
    facts.put("instances", decision.instances());
    facts.put("error", decision.error());
    facts.put("updatedAt", Instant.ofEpochMilli(decision.updatedMillis()).toString());
    return facts;
  }

  private List<Decision> last(ProvisionerEntry entry) {
    return store.decisions(Math.max(1, entry.nextDecision() - LAST), entry.nextDecision() - 1);
  }

  private List<String> lines(ProvisionerEntry entry) {
    List<String> lines = new ArrayList<>();
    String holder = "";
    for (Decision decision : last(entry)) {
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
