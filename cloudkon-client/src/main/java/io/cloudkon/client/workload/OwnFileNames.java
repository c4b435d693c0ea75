package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.ship.FilePattern;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the paths of the files that a task needs and the patterns of the files that it returns.
 */
final class OwnFileNames {
  private static final String PATHS = "expected paths of files below the client's directory";
  private static final String PATTERNS =
      "expected patterns of files in the task's directory, such as \"out/*.csv\"";

  private OwnFileNames() {}

  /** Checks the paths and replaces each by its normal form. */
  static void checkFiles(List<String> files) throws BadLineException {
    if (files.size() > Limits.TASK_FILES) {
      throw new BadLineException(
          "\"files\" names %,d files".formatted(files.size()),
          "expected at most %d; send more as a folder with --ship".formatted(Limits.TASK_FILES));
    }
    Set<String> seen = new HashSet<>();
    int bytes = 0;
    for (int i = 0; i < files.size(); i++) {
      String path = checkedFile(files.get(i));
      if (!seen.add(path)) {
        throw new BadLineException(
            "\"files\" names " + Excerpt.quote(path) + " twice", "expected each file once");
      }
      bytes += path.getBytes(UTF_8).length;
      files.set(i, path);
    }
    if (bytes > Limits.TASK_FILES_BYTES) {
      throw new BadLineException(
          "the names in \"files\" have %,d bytes".formatted(bytes),
          "expected at most %,d; send a folder with --ship".formatted(Limits.TASK_FILES_BYTES));
    }
  }

  private static String checkedFile(String path) throws BadLineException {
    try {
      return InputFile.checkedPath(path);
    } catch (IllegalArgumentException e) {
      throw new BadLineException(
          "\"files\": %s %s".formatted(Excerpt.quote(path), e.getMessage()), PATHS);
    }
  }

  static void checkPatterns(List<String> patterns) throws BadLineException {
    if (patterns.size() > Limits.COLLECT_PATTERNS) {
      throw new BadLineException(
          "\"collect\" has %,d patterns".formatted(patterns.size()),
          "expected at most " + Limits.COLLECT_PATTERNS);
    }
    for (String pattern : patterns) {
      if (pattern.length() > Limits.COLLECT_PATTERN_CHARS) {
        throw new BadLineException(
            "\"collect\" has a pattern of %,d characters".formatted(pattern.length()),
            "expected at most %,d".formatted(Limits.COLLECT_PATTERN_CHARS));
      }
      try {
        FilePattern unused = FilePattern.of(pattern);
      } catch (IllegalArgumentException e) {
        throw new BadLineException(
            "\"collect\": %s %s".formatted(Excerpt.quote(pattern), e.getMessage()), PATTERNS);
      }
    }
  }
}
