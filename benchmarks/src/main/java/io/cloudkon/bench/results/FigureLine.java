package io.cloudkon.bench.results;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import java.util.List;

/**
 * A line, or a series of points, of a panel. Immutable.
 *
 * @param name its label in the legend
 * @param kind the source of its numbers
 * @param hue its colour
 * @param points in the order of x
 */
public record FigureLine(String name, Kind kind, Hue hue, List<Coordinates> points) {
  public FigureLine {
    points = List.copyOf(points);
  }

  /** The source of numbers. */
  public enum Kind {
    /** Measured in this run, with worker processes. */
    MEASURED(Stroke.SOLID),
    /** Measured in this run: the bare SDK calls, threads or writes, with nothing around them. */
    CEILING(Stroke.DOTTED),
    /** Simulated by {@code bench curves}. */
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
