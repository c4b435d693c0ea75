package io.cloudkon.bench.fleet;

import java.util.List;
import java.util.Locale;

/**
 * The state of a cluster at one moment. Immutable.
 *
 * @param atMillis epoch milliseconds
 * @param queue messages in the request queue, including those in flight
 * @param wanted workers that the provisioner wants
 * @param booting workers that were launched and have not registered
 * @param live workers that are alive
 * @param spentUsd what the fleet has cost since the provisioner started
 */
public record FleetSample(
    long atMillis, long queue, int wanted, int booting, int live, double spentUsd) {
  /** The columns of {@link #line}. */
  static final String HEAD = "atMillis,queue,wanted,booting,live,spentUsd";

  /** Formats the sample as a line of a CSV file. */
  String line() {
    return String.format(
        Locale.ROOT, "%d,%d,%d,%d,%d,%.8f", atMillis, queue, wanted, booting, live, spentUsd);
  }

  /** Parses a line that {@link #line} formatted. */
  static FleetSample of(String line) {
    List<String> cells = List.of(line.split(","));
    return new FleetSample(
        Long.parseLong(cells.get(0)),
        Long.parseLong(cells.get(1)),
        Integer.parseInt(cells.get(2)),
        Integer.parseInt(cells.get(3)),
        Integer.parseInt(cells.get(4)),
        Double.parseDouble(cells.get(5)));
  }
}
