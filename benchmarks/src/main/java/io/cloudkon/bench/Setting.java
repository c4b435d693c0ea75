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
 * @param quick a size for a first look or for CI, in seconds instead of minutes
 * @param asked the number of tasks, if the user gave one
 * @param rmiTls whether calls between workers are encrypted
 * @param figures of measured figures; their latency holds for every emulator
 * @param jvm options of every JVM that is started, besides its own
 * @param home the checkout, where the emulator's jar lies
 * @param scratch an empty folder for files; removed afterwards
 * @param out takes the tables
 */
record Setting(
    boolean quick,
    OptionalLong asked,
    boolean rmiTls,
    FigureOptions figures,
    List<String> jvm,
    Path home,
    Path scratch,
    PrintStream out) {

  /** How many tasks. */
  int tasks(int full, int quickly) {
    return (int) asked.orElse(quick ? quickly : full);
  }

  /** How many worker processes a figure has, one number after the other. */
  int[] workers() {
    return figures.workers(quick);
  }

  /** By how much each answer of the emulator is delayed, at the median. */
  Duration latency() {
    return figures.latency;
  }

  /** The simulated figures beside the measured ones. */
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

  /** Says whether a goal was reached. */
  void goal(String goal, boolean reached) {
    say("  goal: %s: %s", goal, reached ? "reached" : "MISSED");
  }
}
