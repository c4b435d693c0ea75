package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the reports of runs. */
final class Reports {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern RATE = Pattern.compile("([\\d,]+) tasks/s");

  private Reports() {}

  /** A run's {@code report.json}. */
  static JsonNode read(Path folder) throws IOException {
    return JSON.readTree(folder.resolve("report.json").toFile());
  }

  /** The rate that a client's short report states. */
  static long tasksPerSecond(Program client) throws IOException {
    Matcher rate = RATE.matcher(client.output());
    if (!rate.find()) {
      throw new CloudKonException("a client reported no rate: " + client.output());
    }
    return Long.parseLong(rate.group(1).replace(",", ""));
  }
}
