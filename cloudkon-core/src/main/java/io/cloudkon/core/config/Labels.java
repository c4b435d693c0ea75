package io.cloudkon.core.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The labels of enum constants on the command line: {@code AT_MOST_ONCE} is {@code at-most-once}.
 */
public final class Labels {
  private Labels() {}

  /** The label of a constant. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A converter for {@code CommandLine.registerConverter}, which ignores case. */
  public static <E extends Enum<E>> ITypeConverter<E> converter(Class<E> type) {
    return text -> {
      for (E constant : type.getEnumConstants()) {
        if (of(constant).equalsIgnoreCase(text.strip())) {
          return constant;
        }
      }
      throw new TypeConversionException(
          "'%s' is not one of %s"
              .formatted(
                  text,
                  Arrays.stream(type.getEnumConstants())
                      .map(Labels::of)
                      .collect(Collectors.joining(", "))));
    };
  }
}
