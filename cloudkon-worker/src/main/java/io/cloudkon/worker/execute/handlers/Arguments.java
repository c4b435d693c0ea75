package io.cloudkon.worker.execute.handlers;

import java.util.List;

/** Reads the arguments of built-in handlers for ranks. */
final class Arguments {
  private Arguments() {}

  /** The only argument, or the default if there is none. */
  static int positive(String usage, String name, List<String> args, int otherwise) {
    if (args.isEmpty()) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(args.getFirst());
      if (value >= 1 && args.size() == 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s: %s is '%s', not a whole number".formatted(usage, name, args.getFirst()), e);
    }
    throw new IllegalArgumentException(
        "%s: at most one argument of at least 1, not %s".formatted(usage, args));
  }
}
