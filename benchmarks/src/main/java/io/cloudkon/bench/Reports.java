package io.cloudkon.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.client.report.ResultsReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.Stamp;
import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
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

  /**
   * The number of bundles of a run whose results are in this folder, by the time at which the
   * client began to fill each. A report's number of updates may lack the last ones.
   */
  static int bundles(Path folder) {
    Set<Long> begun = new HashSet<>();
    var unused =
        ResultsReader.read(
            folder.resolve(RunFolder.RESULTS),
            result -> begun.add(result.stamps().getOrDefault(Stamp.SUBMITTED, 0L)));
    return begun.size();
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
