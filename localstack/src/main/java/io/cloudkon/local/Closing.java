package io.cloudkon.local;

import org.jspecify.annotations.Nullable;

/** Closes what is given up anyway, where a failure to close changes nothing. */
final class Closing {
  private Closing() {}

  @SuppressWarnings("EmptyCatch") // nobody is left who could do anything about it
  static void quietly(@Nullable AutoCloseable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (Exception ignored) {
      // given up anyway
    }
  }
}
