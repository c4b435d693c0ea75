package io.cloudkon.client.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.cloudkon.core.model.CollectedFiles;

/**
 * Sums over the files that tasks brought back, or left. Immutable.
 *
 * @param count the number of files brought back
 * @param bytes their total size
 * @param leftOut the number of requested files or patterns that were not brought back
 * @param errors the number of tasks whose files could not be brought back because of an error
 * @param discarded the number of files and folders of tasks that were to bring back none, which
 *     were removed with their directories
 * @param firstLeftOut the first of the files or patterns that were not brought back, and why not;
 *     empty, and not written, if there is none
 */
public record FileCounts(
    long count,
    long bytes,
    long leftOut,
    long errors,
    long discarded,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String firstLeftOut) {
  /** The counts while no files have been requested, and none were left. */
  static final FileCounts NONE = new FileCounts(0, 0, 0, 0, 0, "");

  static FileCounts of(CollectedFiles files) {
    return files.isNone()
        ? NONE
        : new FileCounts(
            files.count(),
            files.bytes(),
            files.leftOutCount(),
            files.error().isEmpty() ? 0 : 1,
            files.discarded().count(),
            files.leftOut().stream()
                .findFirst()
                .map(first -> leftOut(first.name(), first.why()))
                .orElse(""));
  }

  /** A file or pattern that was not brought back, and why not, in words. */
  static String leftOut(String name, String why) {
    return "%s: %s".formatted(name, why);
  }

  boolean isNone() {
    return equals(NONE);
  }

  FileCounts plus(FileCounts more) {
    return more.isNone()
        ? this
        : new FileCounts(
            count + more.count,
            bytes + more.bytes,
            leftOut + more.leftOut,
            errors + more.errors,
            discarded + more.discarded,
            firstLeftOut.isEmpty() ? more.firstLeftOut : firstLeftOut);
  }
}
