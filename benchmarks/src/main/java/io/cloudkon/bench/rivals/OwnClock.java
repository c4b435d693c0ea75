package io.cloudkon.bench.rivals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/** Reads the time that a system reports. */
final class OwnClock {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OwnClock() {}

  /**
   * Parses the line of JSON that a rival's script prints last. Subtracts the time of its warm-up
   * from that of the whole script.
   *
   * @param output the script's complete output
   * @param tasks the number of tasks that it was given
   * @throws CloudKonException if there is no such line, or if it describes other work
   */
  static Measurement ofScript(String output, int tasks, double wholeSeconds) {
    String line = output.lines().reduce("", (first, second) -> second);
    JsonNode said;
    try {
      said = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw unexpected(line, tasks, wholeSeconds);
    }
    double seconds = said.path("seconds").asDouble();
    double warmUp = said.path("warmUpSeconds").asDouble(-1);
    if (!said.path("version").isTextual()
        || said.path("tasks").asInt(-1) != tasks
        || !(seconds > 0)
        || !(warmUp >= 0)
        || seconds + warmUp > wholeSeconds) {
      throw unexpected(line, tasks, wholeSeconds);
    }
    return new Measurement(tasks, seconds, wholeSeconds - warmUp, said.path("version").asText());
  }

  private static CloudKonException unexpected(String line, int tasks, double wholeSeconds) {
    return new CloudKonException(
        ("it printed '%s'; expected {\"version\": …, \"tasks\": %d, \"seconds\": …,"
                + " \"warmUpSeconds\": …}, within the %.3f s that the script took")
            .formatted(line, tasks, wholeSeconds));
  }

  /**
   * Parses the report that a client prints with {@code --json}. Its own clock runs from its first
   * submit, as that of the others: the time in which it sets up its run is only part of the whole
   * command.
   *
   * @throws CloudKonException if not every task succeeded
   */
  static Measurement ofClient(String output, int tasks, double wholeSeconds) {
    JsonNode report;
    try {
      report = JSON.readTree(output);
    } catch (JsonProcessingException e) {
      throw unexpected(output, tasks, e);
    }
    double seconds =
        report.path("makespanSeconds").asDouble() - report.path("setUpSeconds").asDouble();
    if (report.path("succeeded").asInt(-1) != tasks
        || !report.path("setUpSeconds").isNumber()
        || !(seconds > 0)) {
      throw unexpected(output, tasks, null);
    }
    return new Measurement(tasks, seconds, wholeSeconds, null);
  }

  private static CloudKonException unexpected(
      String output, int tasks, @Nullable JsonProcessingException cause) {
    return new CloudKonException(
        "it reported '%s'; expected %d tasks that succeeded, and makespanSeconds and setUpSeconds"
            .formatted(output.strip(), tasks),
        cause);
  }
}
