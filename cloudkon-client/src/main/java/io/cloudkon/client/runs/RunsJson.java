package io.cloudkon.client.runs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.core.cli.JsonText;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** Formats a list of runs as a JSON array. Unknown fields are absent. Stateless. */
public final class RunsJson {

  private RunsJson() {}

  /** The array, indented. */
  public static String of(List<RunSummary> runs) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    runs.forEach(run -> put(all.addObject(), run));
    return JsonText.of(all);
  }

  private static void put(ObjectNode node, RunSummary run) {
    node.put("run", run.run())
        .put("cluster", run.cluster())
        .put("name", run.label().name())
        .put("state", run.state())
        .put("open", run.open());
    ObjectNode tags = node.putObject("tags");
    new TreeMap<>(run.label().tags()).forEach(tags::put);
    run.startedMillis()
        .ifPresent(millis -> node.put("started", Instant.ofEpochMilli(millis).toString()));
    run.tookMillis().ifPresent(millis -> node.put("seconds", millis / 1e3));
    if (run.tasks() >= 0) {
      node.put("tasks", run.tasks());
    }
    RunProgress progress = run.progress();
    if (progress != null) {
      node.put("finished", progress.finished())
          .put("notSucceeded", progress.notSucceeded())
          .put("about", progress.about());
      progress.secondsLeft().ifPresent(seconds -> node.put("secondsLeft", seconds));
    }
    run.costUsd().ifPresent(cost -> node.put("costUsd", cost));
    run.folder().ifPresent(folder -> node.put("folder", folder.toString()));
  }
}
