package io.cloudkon.core.model;

import java.util.List;

/**
 * The files that a task brought back from its directory. Immutable.
 *
 * @param key the blob store's key of the archive with the files; empty if there is none
 * @param count the number of files in the archive
 * @param bytes their total size in bytes
 * @param leftOut the first of the requested files that it does not contain; or, if none were
 *     requested, of those that were left
 * @param leftOutCount the number of all such files
 * @param names the names of the first files, as far as they are known, which is only after they
 *     have arrived
 * @param error why there are no files, in one line; empty if there was no error
 */
public record CollectedFiles(
    String key,
    int count,
    long bytes,
    List<LeftOut> leftOut,
    int leftOutCount,
    List<Named> names,
    String error) {
  /**
   * The reason for files of a task that was to bring back none, which were removed with its
   * directory.
   */
  public static final String NOT_REQUESTED = "not requested";

  /** No files were requested, and none were left. */
  public static final CollectedFiles NONE =
      new CollectedFiles("", 0, 0, List.of(), 0, List.of(), "");

  public CollectedFiles {
    leftOut = List.copyOf(leftOut);
    names = List.copyOf(names);
  }

  /** A file. */
  public record Named(String name, long bytes) {}

  /**
   * A file that was left out, or a pattern without files.
   *
   * @param why the reason in a few words
   */
  public record LeftOut(String name, String why) {}

  /** Whether no files were requested, and none were left. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Whether no files were requested, and some were left and removed. */
  public boolean isDiscarded() {
    return !leftOut.isEmpty() && leftOut.getFirst().why().equals(NOT_REQUESTED);
  }

  /** The same files, stored under a key. */
  public CollectedFiles storedUnder(String where) {
    return new CollectedFiles(where, count, bytes, leftOut, leftOutCount, names, error);
  }

  /** The same files after they have arrived. */
  public CollectedFiles arrived(List<Named> as) {
    return new CollectedFiles(key, count, bytes, leftOut, leftOutCount, as, error);
  }

  /** The same files if none of them is available. */
  public CollectedFiles lost(String why) {
    return new CollectedFiles("", 0, 0, leftOut, leftOutCount, List.of(), why);
  }
}
