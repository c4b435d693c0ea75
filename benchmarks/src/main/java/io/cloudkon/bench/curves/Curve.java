package io.cloudkon.bench.curves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A simulated figure. */
interface Curve {
  /** All curves, in the order in which they are drawn. */
  List<Curve> ALL =
      List.of(
          new ThroughputCurve(),
          new LatencyCurve(),
          new StagesCurve(),
          new HomogeneousCurve(),
          new HeterogeneousCurve(),
          new OverheadCurve(),
          new ScaleCurve());

  /** Its name on the command line and of its files. */
  String name();

  /** Its content, in one line. */
  String what();

  /**
   * Simulates the curve.
   *
   * @param progress receives a line for each fleet
   */
  Drawn draw(Scale scale, Consumer<String> progress);

  /**
   * The result.
   *
   * @param table the numbers of the figure
   * @param picture writes the figure to a file
   */
  record Drawn(Table table, Picture picture) {}

  /** A figure that is ready to be written. */
  interface Picture {
    /** Writes the figure as a PNG. */
    void write(Path file) throws IOException;
  }
}
