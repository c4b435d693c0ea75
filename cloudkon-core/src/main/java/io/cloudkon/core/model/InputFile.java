package io.cloudkon.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A file that one task alone needs. Immutable.
 *
 * @param path from the client's directory, and from the task's, with slashes: names only
 * @param content what lies in the blob store: an archive of this file, see {@link
 *     io.cloudkon.core.ship.Tree#packFile}
 */
public record InputFile(String path, Content content) {
  /** As large in a message as any other. */
  private static final Content NOT_STORED = new Content("0".repeat(64), Limits.BLOB_BYTES, "");

  /** One that is not stored yet: only on its way from the workload to its bundle. */
  public static InputFile notStored(String path) {
    return new InputFile(path, NOT_STORED);
  }

  /**
   * The path in the one way to write it: names with single slashes between them.
   *
   * @throws IllegalArgumentException if it leads nowhere below the directory; the message says how
   *     it continues a sentence that begins with the path
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
