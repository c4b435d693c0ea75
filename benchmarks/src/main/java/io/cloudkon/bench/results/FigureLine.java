package io.cloudkon.bench.results;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import java.util.List;

/**
 * One line, or row of points, of a panel. Immutable.
 *
 * @param name as the legend has it
 * @param kind where its numbers come from
 * @param hue its colour
 * @param points in the order of x
 */
public record FigureLine(String name, Kind kind, Hue hue, List<Coordinates> points) {
  public FigureLine {
    points = List.copyOf(points);
  }

  /** Where numbers come from. */
  public enum Kind {
    /** Measured in this run, with worker processes. */
    MEASURED(Stroke.SOLID),
    /** Measured in this run: the bare calls of the SDK, with nothing around them. */
    CEILING(Stroke.DOTTED),
    /** By {@code bench curves}. */
    SIMULATED(Stroke.DASHED),
    /** As published. */
    PUBLISHED(Stroke.NONE);

    private final Stroke stroke;

    Kind(Stroke stroke) {
      this.stroke = stroke;
    }

    Stroke stroke() {
      return stroke;
    }
  }

  /** A point. */
  public record Coordinates(double x, double y) {}

  double[] x() {
    return points.stream().mapToDouble(Coordinates::x).toArray();
  }

  double[] y() {
    return points.stream().mapToDouble(Coordinates::y).toArray();
  }
}
