package io.cloudkon.core.aws;

import java.util.function.Supplier;

/**
 * The moment of a request at which its process ends.
 *
 * @param operation {@code dynamodb.UpdateItem}
 * @param text what the request's body holds; empty for any
 */
record Halt(When when, String operation, String text) {

  /** Moments of a request. */
  enum When {
    /** It is ready, and nobody knows. */
    BEFORE,
    /** Its answer was good, and nobody has heard it. */
    AFTER
  }

  /** {@code before:dynamodb.UpdateItem} or {@code after:dynamodb.UpdateItem:text}. */
  static Halt parse(String text) {
    String[] parts = text.split(":", 3);
    if (parts.length < 2 || !parts[1].contains(".")) {
      throw new IllegalArgumentException(
          "expected a moment and an operation, such as before:dynamodb.UpdateItem");
    }
    When when =
        switch (parts[0]) {
          case "before" -> When.BEFORE;
          case "after" -> When.AFTER;
          default -> throw new IllegalArgumentException("expected before or after");
        };
    return new Halt(when, parts[1], parts.length == 3 ? parts[2] : "");
  }

  boolean concerns(When which, CalledOperation called, Supplier<String> body) {
    return which == when
        && operation.equalsIgnoreCase(called.service() + '.' + called.name())
        && body.get().contains(text);
  }
}
