package io.cloudkon.bench;

import java.io.IOException;

/** A benchmark. */
interface Benchmark {
  /** Its name on the command line. */
  String name();

  /** Its purpose, in one line. */
  String what();

  /**
   * Runs it and prints its table.
   *
   * @throws io.cloudkon.core.error.CloudKonException if something failed, including wrong answers;
   *     a missed goal is only reported
   */
  void run(Setting setting) throws IOException, InterruptedException;
}
