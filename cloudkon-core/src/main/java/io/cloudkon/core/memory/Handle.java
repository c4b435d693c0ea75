package io.cloudkon.core.memory;

import org.jspecify.annotations.Nullable;

/**
 * The content of a receive handle.
 *
 * @param number the message, unique in its cloud
 * @param receive which receive of it, from 1
 */
record Handle(long number, int receive) {

  String text() {
    return Long.toString(number) + ':' + receive;
  }

  /** Null if it is no handle. */
  static @Nullable Handle parse(String text) {
    int colon = text.indexOf(':');
    try {
      return colon < 0
          ? null
          : new Handle(
              Long.parseLong(text, 0, colon, 10),
              Integer.parseInt(text, colon + 1, text.length(), 10));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
