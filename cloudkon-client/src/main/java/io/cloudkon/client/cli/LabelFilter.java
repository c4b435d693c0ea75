package io.cloudkon.client.cli;

import io.cloudkon.core.port.RunLabel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select runs by their name and tags. */
final class LabelFilter {
  @Option(names = "--name", paramLabel = "TEXT", description = "Only runs with this name.")
  @Nullable String name;

  @Option(
      names = "--tag",
      paramLabel = "KEY=VALUE",
      description = "Only runs with this tag (repeatable: with all of them).")
  List<String> tags = new ArrayList<>();

  /**
   * The wanted label.
   *
   * @throws io.cloudkon.core.error.UsageException if the name or a tag is invalid
   */
  RunLabel label() {
    return LabelOptions.label(name, tags);
  }
}
