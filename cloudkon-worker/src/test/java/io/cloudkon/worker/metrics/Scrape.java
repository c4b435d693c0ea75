package io.cloudkon.worker.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scrape, taken apart.
 *
 * @param types by metric
 * @param helps by metric
 * @param labels the labels' names by metric
 * @param values by series as it is written
 */
record Scrape(
    Map<String, String> types,
    Map<String, String> helps,
    Map<String, Set<String>> labels,
    Map<String, Double> values) {
  private static final Pattern SERIES =
      Pattern.compile("([a-z_:][a-z0-9_:]*)(?:\\{(.*)})? (\\S+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\",?");
  private static final Pattern OF_HISTOGRAM = Pattern.compile("(.*)_(?:bucket|sum|count)");

  /** Fails on a line that the format does not allow. */
  static Scrape parse(String text) {
    Scrape scrape = new Scrape(new TreeMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    text.lines().forEach(scrape::line);
    return scrape;
  }

  private void line(String line) {
    String[] words = line.split(" ", 4);
    if (line.startsWith("# TYPE ")) {
      types.put(words[2], words[3]);
    } else if (line.startsWith("# HELP ")) {
      helps.put(words[2], words[3]);
    } else {
      Matcher series = SERIES.matcher(line);
      if (!series.matches()) {
        throw new AssertionError("no series: " + line);
      }
      values.put(line.substring(0, line.lastIndexOf(' ')), Double.parseDouble(series.group(3)));
      Set<String> names = labels.computeIfAbsent(metric(series.group(1)), m -> new TreeSet<>());
      Matcher label = LABEL.matcher(series.group(2) == null ? "" : series.group(2));
      while (label.lookingAt()) {
        names.add(label.group(1));
        label.region(label.end(), label.regionEnd());
      }
      if (label.regionStart() != label.regionEnd()) {
        throw new AssertionError("no labels: " + line);
      }
      names.remove("le");
    }
  }

  private String metric(String series) {
    Matcher part = OF_HISTOGRAM.matcher(series);
    String metric = part.matches() && types.containsKey(part.group(1)) ? part.group(1) : series;
    if (!types.containsKey(metric)) {
      throw new AssertionError("no TYPE before " + series);
    }
    return metric;
  }

  double value(String series) {
    Double value = values.get(series);
    if (value == null) {
      throw new AssertionError("no series %s in %s".formatted(series, values.keySet()));
    }
    return value;
  }
}
