package io.cloudkon.bench;

import io.cloudkon.core.cli.Cli;

/** The benchmarks' jar starts here, once the running Java was found new enough. */
public final class BenchMain {
  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(Cli.run(new BenchCommand(), args));
  }
}
