package io.cloudkon.client.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** Where the bytes of a workload come from, the first time and again. */
public interface WorkloadSource extends Closeable {
  /** How messages name it. */
  String name();

  /** What the name alone says about the format. */
  WorkloadFormat format();

  /** All bytes, for the first pass; asked for once. */
  InputStream first() throws IOException;

  /**
   * The bytes from an offset that the first pass has reached. May be called while the first pass is
   * under way, from any thread.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the workload changed since it was opened
   */
  InputStream again(long offset) throws IOException;

  /**
   * Whether each line was checked before it was written, as in a spool: then no id is repeated, and
   * there may be no line at all.
   */
  default boolean checked() {
    return false;
  }

  /** How many tasks it holds so far, where it grows while it is read; empty elsewhere. */
  default OptionalLong tasksSoFar() {
    return OptionalLong.empty();
  }
}
