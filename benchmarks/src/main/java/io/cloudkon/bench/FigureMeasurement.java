package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.List;

/** Measures one of the published figures, one size of the cluster after the other. */
interface FigureMeasurement {
  /** Its name on the command line. */
  String name();

  /** Its purpose, in one line. */
  String what();

  /** Slots of each worker process; 4 as in most published figures. */
  default int slots() {
    return 4;
  }

  /**
   * Measures one size, and says what came of it.
   *
   * @throws io.cloudkon.core.error.CloudKonException if something went wrong
   */
  void measure(FigureCluster cluster) throws IOException, InterruptedException;

  /** The plots of all that was measured. */
  List<FigurePanel> panels(SimulatedLines simulated) throws IOException;

  /** Facts that a reader of its numbers must know, one sentence each. */
  List<String> notes();
}
