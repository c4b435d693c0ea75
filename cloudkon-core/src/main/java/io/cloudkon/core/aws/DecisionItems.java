package io.cloudkon.core.aws;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The provisioner's lease, decisions and seats as items of one table, and back. */
final class DecisionItems {
  static final String PROVISIONER = "provisioner";
  static final String SETTINGS = "settings";
  static final String SEAT = "seat/";
  static final String DECISION = "decision/";

  static final String HOLDER = "holder";
  static final String LEASE_END = "leaseEnd";
  static final String UPDATED = "updated";
  static final String NEXT = "nextDecision";
  static final String TOKEN = "token";
  static final String WORKER = "worker";
  static final String FAIR = "fair";

  private static final String NUMBER = "number";

  /**
   * Optional: a provisioner that has not read the cluster yet, or has an older version, does not
   * write it.
   */
  private static final String REACHABLE = "reachable";

  private static final String REFUSAL = "refusal";

  /** Absent from the entries of older provisioners. */
  private static final String SPENT_SINCE = "spentSince";

  private DecisionItems() {}

  static String decisionKey(long number) {
    return DECISION + number;
  }

  static String seatKey(int index) {
    return SEAT + index;
  }

  /**
   * The attributes of a provisioner's entry, except its key, its expiry and the number of the next
   * decision.
   */
  static Map<String, AttributeValue> encode(ProvisionerEntry entry) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(HOLDER, Items.of(entry.holder()));
    item.put("host", Items.of(entry.host()));
    item.put(LEASE_END, Items.of(entry.leaseEnd()));
    item.put("oldestOpen", Items.of(entry.oldestOpen()));
    item.put("settings", AttributeValue.fromM(encode(entry.settings())));
    item.put("fleet", AttributeValue.fromM(encode(entry.fleet())));
    item.put(UPDATED, Items.of(entry.updatedMillis()));
    return item;
  }

  private static Map<String, AttributeValue> encode(ProvisionerEntry.Settings settings) {
    return Map.of(
        "launcher", Items.of(settings.launcher()),
        "min", Items.of(settings.min()),
        "max", Items.of(settings.max()),
        "slots", Items.of(settings.slots()),
        "takes", TakesItems.encode(settings.takes()));
  }

  private static Map<String, AttributeValue> encode(ProvisionerEntry.Fleet fleet) {
    Map<String, AttributeValue> failures = new HashMap<>();
    fleet.failures().forEach((reason, count) -> failures.put(reason, Items.of(count)));
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("wanted", Items.of(fleet.wanted()));
    item.put("live", Items.of(fleet.live()));
    item.put("booting", Items.of(fleet.booting()));
    item.put("bootingSince", Items.of(fleet.bootingSince()));
    item.put("reason", Items.of(fleet.reason()));
    item.put("failures", AttributeValue.fromM(failures));
    item.put("usdPerHour", Items.of(fleet.usdPerHour()));
    item.put("spentUsd", Items.of(fleet.spentUsd()));
    if (fleet.spentSince() > 0) {
      item.put(SPENT_SINCE, Items.of(fleet.spentSince()));
    }
    if (fleet.reachable() != ProvisionerEntry.Fleet.UNKNOWN) {
      item.put(REACHABLE, Items.of(fleet.reachable()));
    }
    if (!fleet.refusal().isEmpty()) {
      item.put(REFUSAL, Items.of(fleet.refusal()));
    }
    return item;
  }

  static ProvisionerEntry provisioner(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> settings = map(item, "settings");
    Map<String, AttributeValue> fleet = map(item, "fleet");
    Map<String, Long> failures = new HashMap<>();
    map(fleet, "failures").forEach((reason, n) -> failures.put(reason, Long.valueOf(n.n())));
    return new ProvisionerEntry(
        Items.text(item, HOLDER),
        Items.text(item, "host"),
        Items.number(item, LEASE_END),
        new ProvisionerEntry.Settings(
            Items.text(settings, "launcher"),
            (int) Items.number(settings, "min"),
            (int) Items.number(settings, "max"),
            (int) Items.number(settings, "slots"),
            TakesItems.decode(settings.get("takes"))),
        Items.number(item, NEXT),
        Items.number(item, "oldestOpen"),
        new ProvisionerEntry.Fleet(
            (int) Items.number(fleet, "wanted"),
            (int) Items.number(fleet, "live"),
            (int) Items.number(fleet, "booting"),
            Items.number(fleet, "bootingSince"),
            Items.text(fleet, "reason"),
            failures,
            Items.real(fleet, "usdPerHour"),
            Items.real(fleet, "spentUsd"),
            fleet.containsKey(REACHABLE)
                ? (int) Items.number(fleet, REACHABLE)
                : ProvisionerEntry.Fleet.UNKNOWN,
            fleet.containsKey(REFUSAL) ? Items.text(fleet, REFUSAL) : "",
            Items.number(fleet, SPENT_SINCE)),
        Items.number(item, UPDATED));
  }

  static Map<String, AttributeValue> encode(Decision decision) {
    Map<String, AttributeValue> item = changing(decision);
    item.put(Items.ID, Items.of(decisionKey(decision.number())));
    item.put(NUMBER, Items.of(decision.number()));
    item.put(HOLDER, Items.of(decision.holder()));
    item.put("at", Items.of(decision.atMillis()));
    item.put("count", Items.of(decision.count()));
    item.put(TOKEN, Items.of(decision.token()));
    item.put("reason", Items.of(decision.reason()));
    item.put("observation", Items.of(decision.observation()));
    Map<String, AttributeValue> request = new HashMap<>();
    decision.request().forEach((key, value) -> request.put(key, Items.of(value)));
    item.put("request", AttributeValue.fromM(request));
    return item;
  }

  /**
   * The attributes of a decision that may change. Its expiry is computed from its own time, because
   * DynamoDB treats a repeated transaction as the same one only if every value is the same.
   */
  static Map<String, AttributeValue> changing(Decision decision) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("state", Items.of(decision.state().name()));
    item.put(
        "instances", AttributeValue.fromL(decision.instances().stream().map(Items::of).toList()));
    item.put("error", Items.of(decision.error()));
    item.put(UPDATED, Items.of(decision.updatedMillis()));
    item.put(Items.TTL, Items.of(decision.updatedMillis() / 1000 + Items.KEPT_SECONDS));
    return item;
  }

  static Decision decision(Map<String, AttributeValue> item) {
    Map<String, String> request = new HashMap<>();
    map(item, "request").forEach((key, value) -> request.put(key, value.s()));
    @Nullable AttributeValue instances = item.get("instances");
    return new Decision(
        Items.number(item, NUMBER),
        Items.text(item, HOLDER),
        Items.number(item, "at"),
        (int) Items.number(item, "count"),
        Items.text(item, TOKEN),
        Items.text(item, "reason"),
        Items.text(item, "observation"),
        request,
        Decision.State.valueOf(Items.text(item, "state")),
        instances == null ? List.of() : instances.l().stream().map(v -> v.s()).toList(),
        Items.text(item, "error"),
        Items.number(item, UPDATED));
  }

  /** The settings of a cluster; the defaults where it has no such item. */
  static ClusterSettings settings(Map<String, AttributeValue> item) {
    return new ClusterSettings(Items.flag(item, FAIR));
  }

  static IdleSeat seat(Map<String, AttributeValue> item) {
    return new IdleSeat(
        Integer.parseInt(Items.text(item, Items.ID).substring(SEAT.length())),
        Items.text(item, WORKER),
        Items.number(item, LEASE_END));
  }

  private static Map<String, AttributeValue> map(Map<String, AttributeValue> item, String name) {
    @Nullable AttributeValue value = item.get(name);
    return value == null || !value.hasM() ? Map.of() : value.m();
  }
}
