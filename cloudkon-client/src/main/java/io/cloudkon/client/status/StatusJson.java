package io.cloudkon.client.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.core.cli.JsonText;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Formats a cluster's status as one JSON object, with times in ISO 8601. */
public final class StatusJson {

  private StatusJson() {}

  /** The object, indented. */
  public static String of(ClusterStatus status) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("cluster", status.cluster()).put("at", instant(status.atMillis()));
    depth(root.putObject("queue"), status.queue());
    depth(root.putObject("dead"), status.dead());
    FleetCost cost = FleetCost.of(status.workers());
    root.put("slots", status.slots())
        .put("busy", status.busy())
        .put("silentWorkers", status.silentWorkers())
        .put("usdPerHour", cost.usdPerHour())
        .put("unpricedWorkers", cost.unpriced());
    ProvisionerJson.put(root, status.provisioner());
    var workers = root.putArray("workers");
    status.workers().forEach(worker -> put(workers.addObject(), worker));
    var runs = root.putArray("runs");
    status
        .runs()
        .forEach(run -> {
          ObjectNode node = runs.addObject();
          put(node, run, RunStatus.of(run, status.atMillis()));
          put(node.putObject("progress"), status.progress(run));
          QueuePositionJson.put(node, QueuePosition.of(status, run));
        });
    HpcJson.put(root.putObject("hpc"), status.hpc(), status.atMillis());
    return JsonText.of(root);
  }

  static void depth(ObjectNode node, QueueDepth depth) {
    node.put("waiting", depth.waiting())
        .put("inFlight", depth.inFlight())
        .put("delayed", depth.delayed());
  }

  private static void put(ObjectNode node, WorkerEntry worker) {
    node.put("id", worker.id())
        .put("host", worker.host())
        .put("instance", worker.origin().instance())
        .put("type", worker.origin().type())
        .put("lifeCycle", worker.origin().lifeCycle())
        .put("launch", worker.origin().launch())
        .put("role", worker.role())
        .put("notice", worker.notice())
        .put("sickness", worker.sickness())
        .put("slots", worker.slots())
        .put("busy", worker.busy())
        .put("staging", worker.staging())
        .put("shippedFiles", worker.shippedFiles())
        .put("unreachable", worker.unreachable())
        .put("cpu", worker.cpu())
        .put("memoryBytes", worker.memoryBytes())
        .put("tasksDone", worker.tasksDone())
        .put("tasksPerSecond", worker.tasksPerSecond())
        .put("since", instant(worker.sinceMillis()))
        .put("updated", instant(worker.updatedMillis()));
  }

  static void put(ObjectNode node, RunEntry run, RunStatus standing) {
    node.put("run", run.run())
        .put("name", run.label().name())
        .put("state", run.state().name())
        .put("standing", standing.name())
        .put("collected", standing == RunStatus.COLLECTED)
        .put("host", run.host())
        .put("leaseEnd", instant(run.leaseEnd()))
        .put("consistency", run.consistency().label())
        .put("tasks", run.tasks())
        .put("sent", run.sent())
        .put("finished", run.finished())
        .put("responseQueue", run.responseQueue())
        .put("created", instant(run.createdMillis()))
        .put("updated", instant(run.updatedMillis()));
    ObjectNode tags = node.putObject("tags");
    new TreeMap<>(run.label().tags()).forEach(tags::put);
    ObjectNode counts = node.putObject("counts");
    for (Map.Entry<TaskStatus, Long> count : run.counts().entrySet()) {
      counts.put(count.getKey().name(), count.getValue());
    }
  }

  static void put(ObjectNode node, RunProgress progress) {
    node.put("finished", progress.finished())
        .put("notSucceeded", progress.notSucceeded())
        .put("about", progress.about())
        .put("tasksPerSecond", progress.perSecond());
    progress.secondsLeft().ifPresent(seconds -> node.put("secondsLeft", seconds));
  }

  static String instant(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
