package io.cloudkon.client.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.TreeMap;

/** Writes a cluster's provisioner to its status in JSON; null if there never was one. Stateless. */
final class ProvisionerJson {
  private ProvisionerJson() {}

  static void put(ObjectNode root, ProvisionerStatus status) {
    ProvisionerEntry entry = status.entry();
    if (entry == null) {
      root.putNull("provisioner");
      return;
    }
    ProvisionerEntry.Fleet fleet = entry.fleet();
    ObjectNode node = root.putObject("provisioner");
    node.put("host", entry.host())
        .put("live", status.live().isPresent())
        .put("leaseEnd", StatusJson.instant(entry.leaseEnd()))
        .put("launcher", entry.settings().launcher())
        .put("min", entry.settings().min())
        .put("max", entry.settings().max())
        .put("slots", entry.settings().slots())
        .put("wanted", fleet.wanted())
        .put("workers", fleet.live())
        .put("booting", fleet.booting());
    if (fleet.booting() == 0) {
      node.putNull("bootingSince");
    } else {
      node.put("bootingSince", StatusJson.instant(fleet.bootingSince()));
    }
    node.put("reason", fleet.reason())
        .put("usdPerHour", fleet.usdPerHour())
        .put("spentUsd", fleet.spentUsd())
        .put("spentSince", fleet.spentSince() == 0 ? null : StatusJson.instant(fleet.spentSince()))
        .put("updated", StatusJson.instant(entry.updatedMillis()));
    ObjectNode failures = node.putObject("failures");
    new TreeMap<>(fleet.failures()).forEach(failures::put);
  }
}
