package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunTags;
import io.cloudkon.core.port.RunLabel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a run's name and tags. */
final class LabelOptions {
  @Option(names = "--name", paramLabel = "TEXT", description = "A name for the run.")
  @Nullable String name;

  @Option(
      names = "--tag",
      paramLabel = "KEY=VALUE",
      description = "A descriptive tag (repeatable).")
  List<String> tags = new ArrayList<>();

  /**
   * The label.
   *
   * @throws io.cloudkon.core.error.UsageException if the name or a tag is invalid
   */
  RunLabel label() {
    return label(name, tags);
  }

  static RunLabel label(@Nullable String name, List<String> tags) {
    if (name != null) {
      RunTags.checkText("--name", name);
    }
    return new RunLabel(name == null ? "" : name, RunTags.parse(tags));
  }
}
