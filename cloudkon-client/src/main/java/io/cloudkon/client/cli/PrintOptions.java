package io.cloudkon.client.cli;

import io.cloudkon.core.error.UsageException;
import picocli.CommandLine.Option;

/** What a command prints. */
final class PrintOptions {
  @Option(names = "--no-progress", description = "No progress display.")
  boolean noProgress;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only what went wrong.")
  boolean quiet;

  @Option(names = "--json", description = "One JSON object, for scripts.")
  boolean json;

  /**
   * The options as they are to be heeded.
   *
   * @throws UsageException if they contradict each other
   */
  Shown shown() {
    if (quiet && json) {
      throw new UsageException("--quiet and --json exclude each other; leave out one");
    }
    return new Shown(!noProgress, quiet, json);
  }
}
