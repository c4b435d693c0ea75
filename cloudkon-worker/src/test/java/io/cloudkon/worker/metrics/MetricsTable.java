package io.cloudkon.worker.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The table of metrics in docs/operations.md. */
final class MetricsTable {
  private static final Path FILE =
      Path.of(System.getProperty("cloudkon.home"), "docs", "operations.md");
  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\|([^|]*)\\| (counter|gauge|histogram|summary) \\|([^|]*)\\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /** One row; late where the metric need not be there from the start. */
  record Row(String type, Set<String> labels, boolean late) {}

  private MetricsTable() {}

  static Map<String, Row> read() throws IOException {
    String text = Files.readString(FILE);
    int begin = text.indexOf("\n## Metrics\n");
    int end = text.indexOf("\n## ", begin + 1);
    String section = text.substring(begin, end < 0 ? text.length() : end);
    Map<String, Row> rows = new TreeMap<>();
    ROW.matcher(section).results().forEach(row -> rows.put(row.group(1), row(row)));
    return rows;
  }

  private static Row row(MatchResult cells) {
    Set<String> labels = new TreeSet<>();
    NAME.matcher(cells.group(2)).results().forEach(label -> labels.add(label.group(1)));
    return new Row(cells.group(3), labels, cells.group(4).contains("from the first one on"));
  }
}
