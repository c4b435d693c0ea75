package io.cloudkon.core.model;

import java.util.List;

/**
 * The files that a task brought back from its directory. Immutable.
 *
 * @param key the blob store's key of the archive with the files; empty if there is none
 * @param count the number of files in the archive
 * @param bytes their total size in bytes
 * @param leftOut the first of the requested files that it does not contain
 * @param leftOutCount the number of all such files
 * @param names the names of the first files, as far as they are known, which is only after they
 *     have arrived
 * @param error why there are no files, in one line; empty if there was no error
 * @param discarded what was left although no files were requested
 */
public record CollectedFiles(
    String key,
    int count,
    long bytes,
    List<LeftOut> leftOut,
    int leftOutCount,
    List<Named> names,
    String error,
    Discarded discarded) {
  /** No files were requested, and none were left. */
  public static final CollectedFiles NONE =
      new CollectedFiles("", 0, 0, List.of(), 0, List.of(), "");

  public CollectedFiles {
    leftOut = List.copyOf(leftOut);
    names = List.copyOf(names);
  }

  /** The files of a task that left none in its directory which is removed. */
  public CollectedFiles(
      String key,
      int count,
      long bytes,
      List<LeftOut> leftOut,
      int leftOutCount,
      List<Named> names,
      String error) {
    this(key, count, bytes, leftOut, leftOutCount, names, error, Discarded.NONE);
  }

  /** No files were requested, but some were left in a directory that is removed. */
  public static CollectedFiles discarded(Discarded what) {
    return new CollectedFiles("", 0, 0, List.of(), 0, List.of(), "", what);
  }

  /** A file. */
  public record Named(String name, long bytes) {}

  /**
   * A file that was left out, or a pattern without files.
   *
   * @param why the reason in a few words
   */
  public record LeftOut(String name, String why) {}

  /**
   * The files and folders that a task that was to bring back none has left in its directory, which
   * is removed.
   *
   * @param names the first of the files and folders, in order of names
   * @param count the number of all of them
   */
  public record Discarded(List<String> names, int count) {
    /** Nothing was left. */
    public static final Discarded NONE = new Discarded(List.of(), 0);

    public Discarded {
      names = List.copyOf(names);
    }
  }

  /** Whether no files were requested, and none were left. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** The same files, stored under a key. */
  public CollectedFiles storedUnder(String where) {
    return new CollectedFiles(where, count, bytes, leftOut, leftOutCount, names, error, discarded);
  }

  /** The same files after they have arrived. */
  public CollectedFiles arrived(List<Named> as) {
    return new CollectedFiles(key, count, bytes, leftOut, leftOutCount, as, error, discarded);
  }

  /** The same files if none of them is available. */
  public CollectedFiles lost(String why) {
    return new CollectedFiles("", 0, 0, leftOut, leftOutCount, List.of(), why, discarded);
  }
}
