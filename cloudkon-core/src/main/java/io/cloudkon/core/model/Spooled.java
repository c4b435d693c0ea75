package io.cloudkon.core.model;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The kept beginning of a large output, on disk instead of in memory. Thread safe. */
public interface Spooled {
  /** The number of bytes that were kept. */
  int length();

  /**
   * The whole content, as a new buffer that reads it from disk.
   *
   * @throws IllegalStateException if it was released
   */
  ByteBuffer bytes();

  /** A folder on the same disk for derived files; it is removed at the end in any case. */
  Path folder();

  /**
   * Frees the disk space, after which the content must not be read. A second call has no effect.
   */
  void release();
}
