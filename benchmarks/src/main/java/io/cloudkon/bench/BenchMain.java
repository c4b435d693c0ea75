package io.cloudkon.bench;

import io.cloudkon.core.cli.Cli;

/** The entry point of the benchmarks' jar, called after the Java version has been checked. */
public final class BenchMain {
  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(Cli.run(new BenchCommand(), args));
  }
}
