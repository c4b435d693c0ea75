package io.cloudkon.core.config;

import java.util.ArrayList;
import java.util.List;
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

  /**
   * A converter for {@code CommandLine.registerConverter}. It ignores case, and takes {@code _} for
   * {@code -}, because results show the constants' own names.
   */
  public static <E> ITypeConverter<E> converter(Class<E> type) {
    List<Enum<?>> constants = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      constants.add((Enum<?>) constant);
    }
    return text -> {
      String label = text.strip().replace('_', '-');
      for (Enum<?> constant : constants) {
        if (of(constant).equalsIgnoreCase(label)) {
          return type.cast(constant);
        }
      }
      throw new TypeConversionException(
          "'%s' is not one of %s"
              .formatted(
                  text, constants.stream().map(Labels::of).collect(Collectors.joining(", "))));
    };
  }
}
