package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.core.config.Sizes;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.ship.FilePattern;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for collecting files from the tasks' directories. */
final class CollectOptions {
  @Option(
      names = "--collect",
      paramLabel = "PATTERN",
      description = "Files in its directory to return (repeatable).")
  List<String> collect = new ArrayList<>();

  @Option(names = "--collect-failed", description = "Return files of failed tasks, too.")
  boolean failed;

  @Option(
      names = "--collect-size",
      paramLabel = "SIZE",
      converter = Sizes.Bytes.class,
      description = "Maximum size per task. Default: 1GiB.")
  long size = CollectRule.DEFAULT_BYTES;

  @Option(
      names = "--collect-files",
      paramLabel = "N",
      description = "Maximum files per task. Default: 10000.")
  int files = CollectRule.DEFAULT_FILES;

  /**
   * The rule that the options describe.
   *
   * @throws UsageException if a value is out of bounds, or is not a pattern of files in the
   *     directory
   */
  CollectRule rule() {
    if (size > Limits.BLOB_BYTES) {
      throw new UsageException(
          "--collect-size %,d: expected at most %dGiB for each task"
              .formatted(size, Limits.BLOB_BYTES >> 30));
    }
    if (files < 1) {
      throw new UsageException("--collect-files %d: expected 1 or more".formatted(files));
    }
    if (collect.size() > Limits.COLLECT_PATTERNS) {
      throw new UsageException(
          "--collect is given %d times; expected at most %d"
              .formatted(collect.size(), Limits.COLLECT_PATTERNS));
    }
    collect.forEach(CollectOptions::check);
    return new CollectRule(collect, failed, size, files);
  }

  private static void check(String pattern) {
    if (pattern.length() > Limits.COLLECT_PATTERN_CHARS) {
      throw new UsageException(
          "--collect: a pattern has %,d characters; expected at most %,d"
              .formatted(pattern.length(), Limits.COLLECT_PATTERN_CHARS));
    }
    try {
      FilePattern unused = FilePattern.of(pattern);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--collect '%s' %s; expected a pattern of files in the task's directory, such as 'out/*.csv'"
              .formatted(pattern, e.getMessage()),
          e);
    }
  }

  /** Refuses to collect files if there is no folder for them. */
  void checkFolder() {
    if (!collect.isEmpty()) {
      throw new UsageException(
          "--collect cannot be combined with --out none: the files go to the run's folder");
    }
  }

  /** Refuses to collect files that could not be kept in the run's folder. */
  void check(RunFolder folder) {
    if (!collect.isEmpty() && folder.unkeptFiles().isPresent()) {
      throw new UsageException(
          "--collect brings files to the run's folder, but %s; move that away, or name another folder with --out DIR"
              .formatted(folder.unkeptFiles().get()));
    }
  }
}
