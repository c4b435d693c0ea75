package io.cloudkon.client.cli;

import picocli.CommandLine.Option;

/** The options for the output of a command that also shows its progress. */
final class PrintOptions extends ResultOptions {
  @Option(names = "--no-progress", description = "No progress display.")
  boolean noProgress;

  @Override
  OutputOptions shown() {
    return new OutputOptions(!noProgress, quiet, json);
  }
}
