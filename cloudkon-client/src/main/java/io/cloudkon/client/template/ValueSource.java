package io.cloudkon.client.template;

import java.io.Closeable;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A list of values that can be iterated over repeatedly. Immutable. */
interface ValueSource {

  /** Iterates over the values once. */
  interface Cursor extends Closeable {
    /**
     * The next value; null at the end.
     *
     * @throws io.cloudkon.core.error.UsageException if it cannot be passed to a program
     */
    @Nullable String next();

    @Override
    default void close() {}
  }

  /** The name in messages. */
  String name();

  /** The number of values, if it is known without reading them. */
  default OptionalLong size() {
    return OptionalLong.empty();
  }

  /**
   * A note for the user about values that may not be meant, such as those of blank lines; empty if
   * there are none, or the values have not been read to their end.
   */
  default Optional<String> note() {
    return Optional.empty();
  }

  /** Opens a cursor before the first value. */
  Cursor open();
}
