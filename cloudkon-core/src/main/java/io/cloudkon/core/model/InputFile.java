package io.cloudkon.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A file that only one task needs. Immutable.
 *
 * @param path the path relative to the client's directory and to the task's, with slashes
 * @param content the archive of this file in the blob store, see {@link
 *     io.cloudkon.core.ship.Tree#packFile}
 */
public record InputFile(String path, Content content) {
  /** A placeholder that takes as much space in a message as any other content. */
  private static final Content NOT_STORED = new Content("0".repeat(64), Limits.BLOB_BYTES, "");

  /**
   * A file that is not stored: not yet, between the workload and its bundle, or because it could
   * not be read when its bundle was sent. Then its task fails.
   */
  public static InputFile notStored(String path) {
    return new InputFile(path, NOT_STORED);
  }

  /**
   * The path in normal form: names separated by single slashes.
   *
   * @throws IllegalArgumentException if it does not lead to a place below the directory; the
   *     message continues a sentence that begins with the path
   */
  public static String checkedPath(String path) {
    if (path.startsWith("/")) {
      throw new IllegalArgumentException("is absolute");
    }
    if (path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("holds a NUL character");
    }
    List<String> names = new ArrayList<>();
    for (String name : path.split("/", -1)) {
      if (name.equals("..")) {
        throw new IllegalArgumentException("leads out of the directory with '..'");
      }
      if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    if (names.isEmpty() || path.endsWith("/")) {
      throw new IllegalArgumentException("names no file");
    }
    return String.join("/", names);
  }

  /** Whether it is in the blob store. */
  public boolean isStored() {
    return !content.equals(NOT_STORED);
  }
}
