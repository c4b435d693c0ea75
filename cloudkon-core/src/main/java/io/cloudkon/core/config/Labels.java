package io.cloudkon.core.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Enum constants as people write them: {@code AT_MOST_ONCE} is {@code at-most-once}. */
public final class Labels {
  private Labels() {}

  /** How a constant is written. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** For {@code CommandLine.registerConverter}; case does not count. */
  public static <E extends Enum<E>> ITypeConverter<E> converter(Class<E> type) {
    return text -> {
      for (E constant : type.getEnumConstants()) {
        if (of(constant).equalsIgnoreCase(text.strip())) {
          return constant;
        }
      }
      throw new TypeConversionException(
          "'%s' is none of %s"
              .formatted(
                  text,
                  Arrays.stream(type.getEnumConstants())
                      .map(Labels::of)
                      .collect(Collectors.joining(", "))));
    };
  }
}
