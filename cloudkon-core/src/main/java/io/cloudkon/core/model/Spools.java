package io.cloudkon.core.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Those outputs of a task that lie on disk. Where one does, the array of that output is empty.
 * Immutable.
 *
 * @param stdout null if it is in memory
 * @param stderr null if it is in memory
 */
public record Spools(@Nullable Spooled stdout, @Nullable Spooled stderr) {
  /** Everything is in memory. */
  public static final Spools NONE = new Spools(null, null);

  /** How much of an output is kept, in bytes. */
  static int kept(byte[] inMemory, @Nullable Spooled spooled) {
    return spooled == null ? inMemory.length : spooled.length();
  }

  /** The first bytes of an output, wherever it lies. */
  public static byte[] head(byte[] inMemory, @Nullable Spooled spooled, int limit) {
    if (spooled == null) {
      return inMemory.length <= limit ? inMemory : Arrays.copyOf(inMemory, limit);
    }
    byte[] head = new byte[Math.min(limit, spooled.length())];
    spooled.bytes().get(head);
    return head;
  }

  /** One that lies on disk; null if none does. */
  public @Nullable Spooled any() {
    return stdout == null ? stderr : stdout;
  }

  /** Frees the disk. */
  public void release() {
    if (stdout != null) {
      stdout.release();
    }
    if (stderr != null) {
      stderr.release();
    }
  }
}
