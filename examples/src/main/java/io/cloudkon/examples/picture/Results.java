package io.cloudkon.examples.picture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A {@code results.jsonl}, read line by line. */
public final class Results {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Results() {}

  /**
   * Shows each line's object.
   *
   * @throws UsageException if the file cannot be read, or a line is no JSON
   */
  public static void forEach(Path results, Consumer<JsonNode> each) {
    try (BufferedReader in = Files.newBufferedReader(results)) {
      String line;
      for (int number = 1; (line = in.readLine()) != null; number++) {
        each.accept(parse(results, number, line));
      }
    } catch (IOException e) {
      throw new UsageException(
          "%s cannot be read: %s; expected the results.jsonl of a run".formatted(results, e), e);
    }
  }

  private static JsonNode parse(Path results, int number, String line) {
    try {
      return MAPPER.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UsageException(
          "%s:%d: no JSON: %s; expected the results.jsonl of a run"
              .formatted(results, number, e.getOriginalMessage()),
          e);
    }
  }
}
