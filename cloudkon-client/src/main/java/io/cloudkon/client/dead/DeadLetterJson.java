package io.cloudkon.client.dead;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudkon.client.dead.DeadLetter.Tasks;
import io.cloudkon.client.dead.DeadLetter.Undecodable;
import io.cloudkon.client.workload.TaskLine;
import io.cloudkon.client.workload.UnwritableTaskException;
import io.cloudkon.core.cli.JsonText;
import io.cloudkon.core.model.Task;
import java.time.Instant;
import java.util.List;

/** Formats dead letters as JSON objects. Times are ISO 8601. */
public final class DeadLetterJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DeadLetterJson() {}

  /** A list of letters, indented. */
  public static String of(String cluster, List<LetterLine> letters) {
    ObjectNode root = MAPPER.createObjectNode().put("cluster", cluster);
    ArrayNode array = root.putArray("letters");
    for (LetterLine letter : letters) {
      array
          .addObject()
          .put("id", letter.id())
          .put("run", letter.run())
          .put("bundle", letter.bundle())
          .put("decoded", letter.tasks() >= 0)
          .put("tasks", Math.max(0, letter.tasks()))
          .put("bytes", letter.bytes())
          .put("since", Instant.ofEpochMilli(letter.sentMillis()).toString())
          .put("reason", letter.reason());
    }
    return JsonText.of(root);
  }

  /** All of one letter, indented; its tasks are those of a .jsonl workload. */
  public static String of(String cluster, DeadLetter letter) {
    ObjectNode root =
        MAPPER
            .createObjectNode()
            .put("cluster", cluster)
            .put("id", letter.id())
            .put("run", letter.run())
            .put("bundle", letter.bundle())
            .put("responseQueue", letter.responseQueue())
            .put("bytes", letter.bytes())
            .put("since", Instant.ofEpochMilli(letter.sentMillis()).toString())
            .put("reason", letter.reason());
    switch (letter.contents()) {
      case Tasks tasks -> {
        ArrayNode shipped = root.putArray("shipped");
        tasks.bundle().header().ships().forEach(content -> shipped.add(content.name()));
        ArrayNode lines = root.putArray("tasks");
        tasks.bundle().tasks().forEach(task -> lines.add(line(task)));
      }
      case Undecodable what -> root.put("problem", what.problem()).put("payload", what.payload());
    }
    return JsonText.of(root);
  }

  private static JsonNode line(Task task) {
    try {
      return MAPPER.readTree(TaskLine.of(task));
    } catch (UnwritableTaskException e) {
      return MAPPER
          .createObjectNode()
          .put("id", task.id())
          .put("problem", String.valueOf(e.getMessage()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
