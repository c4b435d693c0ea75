package io.cloudkon.core.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a task that are on disk. If an output is on disk, its array is empty. Immutable.
 *
 * @param stdout the standard output; null if it is in memory
 * @param stderr the standard error; null if it is in memory
 */
public record Spools(@Nullable Spooled stdout, @Nullable Spooled stderr) {
  /** Everything is in memory. */
  public static final Spools NONE = new Spools(null, null);

  /** The number of bytes of an output that are kept. */
  static int kept(byte[] inMemory, @Nullable Spooled spooled) {
    return spooled == null ? inMemory.length : spooled.length();
  }

  /** The first bytes of an output, in memory or on disk. */
  public static byte[] head(byte[] inMemory, @Nullable Spooled spooled, int limit) {
    if (spooled == null) {
      return inMemory.length <= limit ? inMemory : Arrays.copyOf(inMemory, limit);
    }
    byte[] head = new byte[Math.min(limit, spooled.length())];
    spooled.bytes().get(head);
    return head;
  }

  /** An output that is on disk; null if there is none. */
  public @Nullable Spooled any() {
    return stdout == null ? stderr : stdout;
  }

  /** The number of bytes on disk. */
  public long bytes() {
    return (stdout == null ? 0 : stdout.length()) + (stderr == null ? 0L : stderr.length());
  }

  /** Frees the disk space. */
  public void release() {
    if (stdout != null) {
      stdout.release();
    }
    if (stderr != null) {
      stderr.release();
    }
  }
}
