package io.cloudkon.core.model;

import java.util.List;

/**
 * Which files of its directory a task brings back when its command has ended. Immutable.
 *
 * @param patterns of their paths in the task's directory, see {@link
 *     io.cloudkon.core.ship.FilePattern}; none means that nothing is brought back
 * @param failed whether tasks bring back files that did not succeed
 * @param maxBytes how much one task may bring back; what would be more is left out
 * @param maxFiles how many files it may bring back; likewise
 */
public record CollectRule(List<String> patterns, boolean failed, long maxBytes, int maxFiles) {
  /** Default of {@code --collect-size}: 1 GiB for each task. */
  public static final long DEFAULT_BYTES = 1L << 30;

  /** Default of {@code --collect-files}: for each task. */
  public static final int DEFAULT_FILES = 10_000;

  /** Nothing, unless a task says otherwise; of tasks that succeed, within the default limits. */
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

  /** The same of other files. */
  public CollectRule of(List<String> others) {
    return new CollectRule(others, failed, maxBytes, maxFiles);
  }

  /** Whether nothing is brought back, however a task ends. */
  public boolean isEmpty() {
    return patterns.isEmpty();
  }

  /** Whether a task that ended so brings back files. */
  public boolean appliesTo(TaskStatus status) {
    return !isEmpty() && (failed || status == TaskStatus.SUCCEEDED);
  }
}
