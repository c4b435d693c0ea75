package io.cloudkon.local;

import org.jspecify.annotations.Nullable;

/** Closes resources for which a failure to close does not matter. */
final class Closing {
  private Closing() {}

  @SuppressWarnings("EmptyCatch") // nothing could be done about it
  static void quietly(@Nullable AutoCloseable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (Exception ignored) {
      // the resource is discarded anyway
    }
  }
}
