package io.cloudkon.core.model;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The kept beginning of a large output, on disk instead of in memory. Thread safe. */
public interface Spooled {
  /** How much was kept, in bytes. */
  int length();

  /**
   * All of it, as a buffer that reads it from disk; of each caller's own.
   *
   * @throws IllegalStateException if it was released
   */
  ByteBuffer bytes();

  /** A folder on the same disk, for what is made of it; removed at the end in any case. */
  Path folder();

  /** Frees the disk; nobody may read it any more. Nothing happens the second time. */
  void release();
}
