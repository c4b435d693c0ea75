package io.cloudkon.client.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.TreeMap;

/** Writes a cluster's HPC jobs to its status in JSON, always with the same fields. Stateless. */
final class HpcJson {
  private HpcJson() {}

  static void put(ObjectNode node, HpcStatus hpc, long nowMillis) {
    node.put("slots", hpc.slots(nowMillis))
        .put("free", hpc.ledger().counter().free())
        .put("reserved", hpc.ledger().counter().reserved())
        .put("missing", hpc.missing());
    StatusJson.depth(node.putObject("jobs"), hpc.jobs());
    StatusJson.depth(node.putObject("ranks"), hpc.ranks());
    ArrayNode workers = node.putArray("workers");
    for (Share worker : hpc.workers(nowMillis)) {
      workers.addObject().put("id", worker.id()).put("slots", worker.slots());
    }
    ArrayNode gangs = node.putArray("gangs");
    hpc.gangs().forEach(gang -> gang(gangs.addObject(), gang, nowMillis));
    ArrayNode waiting = node.putArray("waiting");
    hpc.waiting(nowMillis).forEach(job -> waiting(waiting.addObject(), job));
    hpc.reservation(nowMillis)
        .ifPresentOrElse(
            reservation -> reservation(node.putObject("reservation"), reservation),
            () -> node.putNull("reservation"));
  }

  private static void gang(ObjectNode node, Share gang, long nowMillis) {
    node.put("id", gang.id())
        .put("job", gang.job())
        .put("run", BundleIds.run(gang.job()))
        .put("ranks", gang.slots())
        .put("manager", gang.owner())
        .put("live", HpcStatus.lives(gang.leaseEnd(), nowMillis))
        .put("leaseEnd", StatusJson.instant(gang.leaseEnd()));
  }

  private static void waiting(ObjectNode node, Waiting job) {
    node.put("job", job.job())
        .put("run", BundleIds.run(job.job()))
        .put("ranks", job.ranks())
        .put("worker", job.worker())
        .put("since", StatusJson.instant(job.since()));
  }

  private static void reservation(ObjectNode node, Reservation reservation) {
    node.put("job", reservation.job())
        .put("run", BundleIds.run(reservation.job()))
        .put("ranks", reservation.ranks())
        .put("worker", reservation.worker())
        .put("admitted", reservation.admitted())
        .put("held", reservation.heldInAll());
    ObjectNode by = node.putObject("heldBy");
    new TreeMap<>(reservation.held()).forEach(by::put);
  }
}
