package io.cloudkon.functional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What of a task's result does not depend on where and when it ran; what it lacks is empty. */
record Outcome(String task, String status, String exitCode, String stdout, String output) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The lines of a {@code results.jsonl}, by task. */
  static List<Outcome> read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.map(Outcome::parse).sorted(Comparator.comparing(Outcome::task)).toList();
    }
  }

  private static Outcome parse(String line) {
    try {
      JsonNode result = JSON.readTree(line);
      return new Outcome(
          result.path("task").asText(),
          result.path("status").asText(),
          result.path("exitCode").asText(),
          result.path("stdout").asText(),
          result.path("output").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
