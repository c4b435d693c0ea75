package io.cloudkon.client.cli;

import picocli.CommandLine.Option;

/** The options for the output of a command that says at its end what it did or found. */
class ResultOptions {
  @Option(
      names = {"-q", "--quiet"},
      description = "Print only what needs your attention.")
  boolean quiet;

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  /** The selected output. */
  OutputOptions shown() {
    return new OutputOptions(false, quiet, json);
  }
}
