package io.cloudkon.client.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** The source of a workload's bytes, for the first pass and for later ones. */
public interface WorkloadSource extends Closeable {
  /** The name in messages. */
  String name();

  /** The format that the name implies. */
  WorkloadFormat format();

  /** Opens all bytes, for the first pass; called only once. */
  InputStream first() throws IOException;

  /**
   * Opens the bytes from an offset on that the first pass has reached. May be called during the
   * first pass, from any thread.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the workload has changed since it was
   *     opened
   */
  InputStream again(long offset) throws IOException;

  /**
   * Whether each line was checked before it was written, as in a spool. Then no id is repeated, and
   * there may be no lines.
   */
  default boolean checked() {
    return false;
  }

  /** The number of tasks so far if it grows while it is read; otherwise empty. */
  default OptionalLong tasksSoFar() {
    return OptionalLong.empty();
  }
}
