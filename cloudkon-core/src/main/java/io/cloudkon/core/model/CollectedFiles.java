package io.cloudkon.core.model;

import java.util.List;

/**
 * The files that a task brought back from its directory. Immutable.
 *
 * @param key where the archive of the files lies in the blob store; empty if there is none
 * @param count how many files it holds
 * @param bytes how large they are together
 * @param leftOut the first of those that it does not hold though they were asked for
 * @param leftOutCount how many these are in all
 * @param names of the first files, as far as they are known: only where they have arrived
 * @param error why there are none, in one line; empty if nothing went wrong
 */
public record CollectedFiles(
    String key,
    int count,
    long bytes,
    List<LeftOut> leftOut,
    int leftOutCount,
    List<Named> names,
    String error) {
  /** Nothing was asked for. */
  public static final CollectedFiles NONE =
      new CollectedFiles("", 0, 0, List.of(), 0, List.of(), "");

  public CollectedFiles {
    leftOut = List.copyOf(leftOut);
    names = List.copyOf(names);
  }

  /** A file. */
  public record Named(String name, long bytes) {}

  /**
   * A file, or a pattern, that brought nothing.
   *
   * @param why in a few words
   */
  public record LeftOut(String name, String why) {}

  /** Whether nothing was asked for. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** The same, stored under a key. */
  public CollectedFiles storedUnder(String where) {
    return new CollectedFiles(where, count, bytes, leftOut, leftOutCount, names, error);
  }

  /** The same once the files have arrived. */
  public CollectedFiles arrived(List<Named> as) {
    return new CollectedFiles(key, count, bytes, leftOut, leftOutCount, as, error);
  }

  /** The same, none of which can be had. */
  public CollectedFiles lost(String why) {
    return new CollectedFiles("", 0, 0, leftOut, leftOutCount, List.of(), why);
  }
}
