package io.cloudkon.examples.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The parts of a {@code report.json} that the demo shows.
 *
 * @param tasks all tasks
 * @param succeeded those that succeeded
 * @param reruns those whose result is from a later attempt at their bundle
 * @param bundlesTakenOver the bundles that they were in
 */
record DemoRunReport(long tasks, long succeeded, long reruns, long bundlesTakenOver) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Reads it from a run's folder. */
  static DemoRunReport read(Path folder) {
    Path file = folder.resolve("report.json");
    try {
      JsonNode report = MAPPER.readTree(file.toFile());
      return new DemoRunReport(
          report.path("tasks").asLong(-1),
          report.path("succeeded").asLong(-1),
          report.path("reruns").asLong(-1),
          report.path("bundlesTakenOver").asLong(-1));
    } catch (IOException e) {
      throw new CloudKonException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }
}
