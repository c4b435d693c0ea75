package io.cloudkon.client.cli;

import io.cloudkon.core.model.Limits;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converters of options whose value is a whole number. They refuse text with the limits of the
 * option; numbers beyond those are refused later, where other options count, too.
 */
final class WholeNumbers {
  /** The value that takes back a limit. */
  static final String NONE = "none";

  /** The value of {@link #NONE}, for an option that limits something. */
  static final long NO_LIMIT = Long.MAX_VALUE;

  /** The largest value of {@code -t}. */
  static final int MOST_THREADS = 10_000;

  private WholeNumbers() {}

  private static int parse(String value, int least, int most) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'%s' is not a whole number from %d to %d".formatted(value, least, most));
    }
  }

  /** The number of {@code -t}. */
  static final class Threads implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return parse(value, 1, MOST_THREADS);
    }
  }

  /** The number of {@code --retries}. */
  static final class Retries implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return parse(value, 0, Limits.RETRIES);
    }
  }

  /** The number of {@code --bundle}. */
  static final class Bundle implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      return parse(value, 1, Limits.TASKS_PER_BUNDLE);
    }
  }

  /** The number of {@code --max-failures}, which {@code none} takes back. */
  static final class Failures implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      if (value.equals(NONE)) {
        return NO_LIMIT;
      }
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            "'%s' is not a whole number of 1 or more, nor none".formatted(value));
      }
    }
  }
}
