package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The lines of a {@code results.jsonl} by task. */
public record Results(Map<String, JsonNode> byTask) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static Results read(Path file) {
    Map<String, JsonNode> byTask = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        JsonNode result = JSON.readTree(line);
        JsonNode other = byTask.put(result.get("task").asText(), result);
        assertThat(other).as("another result of task %s", result.get("task")).isNull();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Results(byTask);
  }

  /** The tasks that ended so. */
  public Set<String> tasks(String status) {
    return byTask.entrySet().stream()
        .filter(entry -> entry.getValue().get("status").asText().equals(status))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** How many tasks ended how. */
  public Map<String, Long> counts() {
    return byTask.values().stream()
        .collect(
            Collectors.groupingBy(
                result -> result.get("status").asText(), TreeMap::new, Collectors.counting()));
  }

  /** The lines of the tasks that did not succeed, for the message of a check that fails. */
  public String unsuccessful() {
    return byTask.values().stream()
        .filter(result -> !result.get("status").asText().equals("SUCCEEDED"))
        .map(JsonNode::toString)
        .collect(Collectors.joining("\n"));
  }

  /** The longest time from one task's start to the next one's. */
  public Duration longestPause() {
    long[] starts =
        byTask.values().stream()
            .mapToLong(result -> result.get("stamps").get("started").asLong())
            .sorted()
            .toArray();
    long longest = 0;
    for (int i = 1; i < starts.length; i++) {
      longest = Math.max(longest, starts[i] - starts[i - 1]);
    }
    return Duration.of(longest, ChronoUnit.MICROS);
  }
}
