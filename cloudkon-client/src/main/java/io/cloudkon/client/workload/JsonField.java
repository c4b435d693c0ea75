package io.cloudkon.client.workload;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON Lines task; their names are in lower case. */
enum JsonField {
  ID,
  EXEC,
  SHELL,
  SLEEP,
  NOOP,
  JAVA,
  ARGS,
  ENV,
  DIR,
  STDIN,
  TIMEOUT,
  RETRIES,
  RANKS,
  MPI,
  FILES,
  COLLECT,
  VALUES;

  private static final Map<String, JsonField> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(f -> f.word, f -> f));

  private static final List<String> NAMES = Arrays.stream(values()).map(f -> f.word).toList();

  /** The name in the workload. */
  final String word;

  JsonField() {
    word = name().toLowerCase(Locale.ROOT);
  }

  /** The field of that name, or null. */
  static @Nullable JsonField ofName(String name) {
    return BY_NAME.get(name);
  }

  /** The refusal of an unknown field. */
  static BadLineException unknown(String name) {
    return new BadLineException(
        "unknown field " + Excerpt.quote(name),
        WordHint.hint(name, NAMES) + "expected one of " + String.join(", ", NAMES));
  }
}
