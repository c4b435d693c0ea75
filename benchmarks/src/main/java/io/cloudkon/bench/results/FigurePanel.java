package io.cloudkon.bench.results;

import io.cloudkon.bench.plot.Figure;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * A plot of a figure. Immutable.
 *
 * @param xTitle the quantity of the x axis
 * @param yTitle the quantity of the y axis
 * @param scale the scale of the y axis
 */
public record FigurePanel(
    String title, String xTitle, String yTitle, YScale scale, List<FigureLine> lines) {
  private static final double[] PERCENTILES = {50, 90, 99};

  public FigurePanel {
    lines = List.copyOf(lines);
  }

  /** The scale of the y axis, which also determines the content of the table. */
  public enum YScale {
    LINEAR,
    LOGARITHMIC,
    /** In percent, up to at least 100. */
    PERCENT,
    /** A cumulative distribution in percent; its table has the x values of some percentiles. */
    CUMULATIVE
  }

  Figure figure() {
    Figure figure = new Figure(title, xTitle, yTitle, scale == YScale.LOGARITHMIC);
    switch (scale) {
      case PERCENT -> figure.upTo(100);
      case CUMULATIVE -> figure.upTo(100).dense();
      case LINEAR, LOGARITHMIC -> {}
    }
    lines.forEach(
        line -> figure.add(line.name(), line.x(), line.y(), line.hue(), line.kind().stroke()));
    return figure;
  }

  /** Formats the numbers as a Markdown table with a row for each line. */
  String markdown() {
    double[] columns =
        scale == YScale.CUMULATIVE
            ? PERCENTILES
            : lines.stream()
                .flatMapToDouble(line -> DoubleStream.of(line.x()))
                .distinct()
                .sorted()
                .toArray();
    StringBuilder text = new StringBuilder("| %s |".formatted(rowTitle()));
    for (double column : columns) {
      text.append(' ').append(columnTitle(column)).append(" |");
    }
    text.append("\n|---|").append("---:|".repeat(columns.length)).append('\n');
    for (FigureLine line : lines) {
      text.append("| %s |".formatted(line.name()));
      for (double column : columns) {
        text.append(' ').append(cell(line, column)).append(" |");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private String rowTitle() {
    return scale == YScale.CUMULATIVE ? xTitle : "%s by %s".formatted(yTitle, xTitle);
  }

  private String columnTitle(double column) {
    return scale == YScale.CUMULATIVE
        ? "%.0f %%".formatted(column)
        : String.format(Locale.ROOT, "%,.0f", column);
  }

  private String cell(FigureLine line, double column) {
    OptionalDouble found =
        scale == YScale.CUMULATIVE
            ? line.points().stream()
                .filter(point -> point.y() >= column)
                .mapToDouble(FigureLine.Coordinates::x)
                .findFirst()
            : line.points().stream()
                .filter(point -> point.x() == column)
                .mapToDouble(FigureLine.Coordinates::y)
                .findFirst();
    return found.isPresent() ? number(found.getAsDouble()) : "";
  }

  private static String number(double value) {
    double size = Math.abs(value);
    String format = size < 1 && size > 0 ? "%.3f" : size < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }
}
