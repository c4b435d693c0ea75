package io.cloudkon.bench;

import java.io.IOException;

/** One benchmark. */
interface Benchmark {
  /** What it is called on the command line. */
  String name();

  /** What it measures, in one line. */
  String what();

  /**
   * Runs it and prints its table.
   *
   * @throws io.cloudkon.core.error.CloudKonException if something went wrong, wrong answers
   *     included; a goal that was missed is only said
   */
  void run(Setting setting) throws IOException, InterruptedException;
}
