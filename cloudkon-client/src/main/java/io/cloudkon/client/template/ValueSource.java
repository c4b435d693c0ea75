package io.cloudkon.client.template;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/** A list of values that can be gone through again and again. Immutable. */
interface ValueSource {

  /** Goes through the values once. */
  interface Cursor extends Closeable {
    /**
     * The next value; null at the end.
     *
     * @throws io.cloudkon.core.error.UsageException if it is none that a program can be given
     */
    @Nullable String next();

    @Override
    default void close() {}
  }

  /** As messages name it. */
  String name();

  /** Begins with the first one. */
  Cursor open();
}
