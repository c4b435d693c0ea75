package io.cloudkon.bench;

import io.cloudkon.bench.results.SimulatedLines;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The scale and options of a benchmark.
 *
 * @param names the benchmarks as named on the command line
 * @param quick whether to use small sizes for a first look or for CI, in seconds instead of minutes
 * @param asked the number of tasks, if the user gave one
 * @param rmiTls whether calls between workers are encrypted
 * @param figures the options of measured figures; their latency applies to every emulator
 * @param jvm additional options of every JVM that is started
 * @param home the checkout, where the emulator's jar lies
 * @param scratch an empty folder for files; removed afterwards
 * @param out receives the tables
 */
record Setting(
    List<String> names,
    boolean quick,
    OptionalLong asked,
    boolean rmiTls,
    FigureOptions figures,
    List<String> jvm,
    Path home,
    Path scratch,
    PrintStream out) {

  Setting {
    names = List.copyOf(names);
  }

  /** The number of tasks. */
  int tasks(int full, int quickly) {
    return (int) asked.orElse(quick ? quickly : full);
  }

  /** The numbers of worker processes for a figure, in the order of measurement. */
  int[] workers() {
    return figures.workers(quick);
  }

  /** The median delay of each answer of the emulator. */
  Duration latency() {
    return figures.latency;
  }

  /** The simulated figures that are drawn beside the measured ones. */
  SimulatedLines simulated() {
    return new SimulatedLines(Checkout.folder(home, "docs/figures"));
  }

  /** The value of the worker's option {@code --rmi-tls}. */
  String rmiTlsOption() {
    return rmiTls ? "on" : "off";
  }

  /** Prints a line. */
  void say(String format, Object... values) {
    out.printf(format + "%n", values);
    out.flush();
  }

  /** Prints whether a goal was reached. */
  void goal(String goal, boolean reached) {
    say("  goal: %s: %s", goal, reached ? "reached" : "MISSED");
  }
}
