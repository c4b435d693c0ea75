package io.cloudkon.bench.curves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** One figure. */
interface Curve {
  /** All of them, in the order in which they are drawn. */
  List<Curve> ALL =
      List.of(
          new ThroughputCurve(),
          new LatencyCurve(),
          new StagesCurve(),
          new HomogeneousCurve(),
          new HeterogeneousCurve(),
          new OverheadCurve(),
          new ScaleCurve());

  /** What it is called on the command line, and its files. */
  String name();

  /** What it shows, in one line. */
  String what();

  /**
   * Simulates it.
   *
   * @param progress takes a line for each fleet
   */
  Drawn draw(Scale scale, Consumer<String> progress);

  /**
   * What came of it.
   *
   * @param table the same numbers
   * @param picture writes the figure to a file
   */
  record Drawn(Table table, Picture picture) {}

  /** A figure that is ready. */
  interface Picture {
    /** Writes it as a PNG. */
    void write(Path file) throws IOException;
  }
}
