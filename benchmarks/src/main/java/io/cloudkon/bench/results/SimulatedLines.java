package io.cloudkon.bench.results;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The simulated figures that {@code bench curves} wrote as CSV files, up to 1,024 workers.
 *
 * @param folder their folder
 */
public record SimulatedLines(Path folder) {
  /** The column of the preset. */
  public static final String ORIGINAL = "preset original";

  /** The column of the defaults. */
  public static final String DEFAULTS = "defaults, today's latencies";

  private static final int LARGEST = 1024;

  /** The lines of both ways of running, from all rows of this file. */
  public List<FigureLine> of(String file) throws IOException {
    return of(file, "", ORIGINAL, DEFAULTS);
  }

  /**
   * The lines of both ways of running, from this file.
   *
   * @param only the prefix of the rows to use
   * @param original the column of the original's preset
   * @param defaults the column of the defaults
   */
  public List<FigureLine> of(String file, String only, String original, String defaults)
      throws IOException {
    return List.of(
        new FigureLine(
            "simulated: preset original, published latencies",
            FigureLine.Kind.SIMULATED,
            Hue.ORANGE,
            points(file, only, original)),
        new FigureLine(
            "simulated: defaults, today's latencies",
            FigureLine.Kind.SIMULATED,
            Hue.BLUE,
            points(file, only, defaults)));
  }

  private List<FigureLine.Coordinates> points(String name, String only, String column)
      throws IOException {
    Path file = folder.resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new UsageException(
          "%s is missing; make it: ./cloudkon bench curves --out docs/figures".formatted(file));
    }
    List<List<String>> rows = Files.readAllLines(file).stream().map(SimulatedLines::cells).toList();
    int x = column(file, rows.getFirst(), "instances");
    int y = column(file, rows.getFirst(), column);
    List<FigureLine.Coordinates> points = new ArrayList<>();
    for (List<String> row : rows.subList(1, rows.size())) {
      if (row.getFirst().startsWith(only) && !row.get(y).isEmpty()) {
        double workers = Double.parseDouble(row.get(x));
        if (workers <= LARGEST) {
          points.add(new FigureLine.Coordinates(workers, Double.parseDouble(row.get(y))));
        }
      }
    }
    return points;
  }

  private static int column(Path file, List<String> head, String name) {
    int at = head.indexOf(name);
    if (at < 0) {
      throw new UsageException("%s has no column '%s'".formatted(file, name));
    }
    return at;
  }

  /** The cells of a line; cells with commas are quoted. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }
}
