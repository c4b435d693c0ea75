package io.cloudkon.client.answers;

import io.cloudkon.core.config.Nearest;
import io.cloudkon.core.error.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Finds the constant that an option's value names. Stateless. */
final class OptionValue {
  private OptionValue() {}

  /**
   * Finds a constant by its name, ignoring case.
   *
   * @param option the option, for the message
   * @param what the kind of constant, for the message
   * @param known all constants
   * @param key gives the name of a constant
   * @throws UsageException if no constant has this name
   */
  static <E> E of(String option, String what, String name, E[] known, Function<E, String> key) {
    return Arrays.stream(known)
        .filter(one -> key.apply(one).equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> unknown(option, what, name, Arrays.stream(known).map(key).toList()));
  }

  private static UsageException unknown(
      String option, String what, String name, List<String> known) {
    return new UsageException(
        "%s %s: there is no such %s%s"
            .formatted(option, name, what, Nearest.hintOrAll(name, known)));
  }
}
