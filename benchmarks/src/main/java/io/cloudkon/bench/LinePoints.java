package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import java.util.ArrayList;
import java.util.List;

/** A line of a figure that is built point by point. */
final class LinePoints {
  private final List<FigureLine.Coordinates> points = new ArrayList<>();

  /** A line of published numbers, given as x, y, x, y. */
  static FigureLine published(String name, double... numbers) {
    LinePoints published = new LinePoints();
    for (int i = 0; i < numbers.length; i += 2) {
      published.add(numbers[i], numbers[i + 1]);
    }
    return new FigureLine(
        "published: " + name, FigureLine.Kind.PUBLISHED, Hue.BLACK, published.points);
  }

  void add(double x, double y) {
    points.add(new FigureLine.Coordinates(x, y));
  }

  boolean isEmpty() {
    return points.isEmpty();
  }

  FigureLine measured(Way way) {
    return measured(way.label(), way.hue());
  }

  FigureLine measured(String name, Hue hue) {
    return new FigureLine(name, FigureLine.Kind.MEASURED, hue, points);
  }

  FigureLine ceiling(String name) {
    return ceiling(name, Hue.GREY);
  }

  FigureLine ceiling(String name, Hue hue) {
    return new FigureLine(name, FigureLine.Kind.CEILING, hue, points);
  }
}
