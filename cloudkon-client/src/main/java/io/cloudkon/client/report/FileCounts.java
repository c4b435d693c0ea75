package io.cloudkon.client.report;

import io.cloudkon.core.model.CollectedFiles;

/**
 * Sums over the files that tasks brought back. Immutable.
 *
 * @param count files that came
 * @param bytes how large they are together
 * @param leftOut files, or patterns, that were asked for and did not come
 * @param errors tasks of which no file came, since something went wrong
 */
public record FileCounts(long count, long bytes, long leftOut, long errors) {
  /** No files were asked for, so far. */
  static final FileCounts NONE = new FileCounts(0, 0, 0, 0);

  static FileCounts of(CollectedFiles files) {
    return files.isNone()
        ? NONE
        : new FileCounts(
            files.count(), files.bytes(), files.leftOutCount(), files.error().isEmpty() ? 0 : 1);
  }

  boolean isNone() {
    return equals(NONE);
  }

  FileCounts plus(FileCounts more) {
    return more.isNone()
        ? this
        : new FileCounts(
            count + more.count, bytes + more.bytes, leftOut + more.leftOut, errors + more.errors);
  }
}
