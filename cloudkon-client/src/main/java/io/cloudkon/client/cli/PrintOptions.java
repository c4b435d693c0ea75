package io.cloudkon.client.cli;

import picocli.CommandLine.Option;

/** The options for a command's output. */
final class PrintOptions {
  @Option(names = "--no-progress", description = "No progress display.")
  boolean noProgress;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only what needs your attention.")
  boolean quiet;

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  /** The selected output. */
  OutputOptions shown() {
    return new OutputOptions(!noProgress, quiet, json);
  }
}
