package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.List;

/** The measurement of a published figure, for one size of the cluster after the other. */
interface FigureMeasurement {
  /** Its name on the command line. */
  String name();

  /** Its purpose, in one line. */
  String what();

  /** The number of slots of each worker process; 4 as in most published figures. */
  default int slots() {
    return 4;
  }

  /**
   * Whether its cluster is warmed up under the preset original: always, as most figures run it,
   * unless these options leave it out of this one.
   */
  default boolean original(FigureOptions options) {
    return true;
  }

  /**
   * Measures one size and prints the result.
   *
   * @throws io.cloudkon.core.error.CloudKonException if something failed
   */
  void measure(FigureCluster cluster) throws IOException, InterruptedException;

  /** The plots of all measurements. */
  List<FigurePanel> panels(SimulatedLines simulated) throws IOException;

  /**
   * Facts that a reader of the numbers must know, one sentence each.
   *
   * @param options the options of the measurement
   */
  List<String> notes(FigureOptions options);
}
