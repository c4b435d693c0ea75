package io.cloudkon.client.dead;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/** Formats a list of dead letters as one JSON object. Times are ISO 8601. */
public final class DeadLetterJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private DeadLetterJson() {}

  /** The object, indented. */
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
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
