package io.cloudkon.core.model;

import java.util.List;

/**
 * The rule for the files of its directory that a task brings back when its command has ended.
 * Immutable.
 *
 * @param patterns patterns of their paths in the task's directory, see {@link
 *     io.cloudkon.core.ship.FilePattern}; without patterns nothing is brought back
 * @param failed whether tasks that did not succeed bring back files, too
 * @param maxBytes the maximum size of all files of one task in bytes; files beyond it are left out
 * @param maxFiles the maximum number of files of one task; files beyond it are left out
 */
public record CollectRule(List<String> patterns, boolean failed, long maxBytes, int maxFiles) {
  /** Default of {@code --collect-size}: 1 GiB for each task. */
  public static final long DEFAULT_BYTES = 1L << 30;

  /** Default of {@code --collect-files}: for each task. */
  public static final int DEFAULT_FILES = 10_000;

  /**
   * No files, unless a task has its own patterns; then files of tasks that succeed, within the
   * default limits.
   */
  public static final CollectRule NONE =
      new CollectRule(List.of(), false, DEFAULT_BYTES, DEFAULT_FILES);

  public CollectRule {
    patterns = List.copyOf(patterns);
    if (maxBytes < 0 || maxBytes > Limits.BLOB_BYTES || maxFiles < 0) {
      throw new IllegalArgumentException(
          "expected limits of 0 to %d bytes and of 0 files or more, not %d and %d"
              .formatted(Limits.BLOB_BYTES, maxBytes, maxFiles));
    }
  }

  /** The same rule with other patterns. */
  public CollectRule of(List<String> others) {
    return new CollectRule(others, failed, maxBytes, maxFiles);
  }

  /** Whether no files are brought back, however a task ends. */
  public boolean isEmpty() {
    return patterns.isEmpty();
  }

  /** Whether a task with this status brings back files. */
  public boolean appliesTo(TaskStatus status) {
    return !isEmpty() && (failed || status == TaskStatus.SUCCEEDED);
  }
}
