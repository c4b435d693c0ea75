package io.cloudkon.client.template;

import java.io.Closeable;
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

  /** The least number of values that it may have, known without reading them. */
  default long atLeast() {
    return 1; // a source without values is refused
  }

  /** Opens a cursor before the first value. */
  Cursor open();
}
