package io.cloudkon.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * Parses sizes in a readable form: {@code 4096}, {@code 64KiB}, {@code 64k}, {@code 1MiB}, {@code
 * 2g}. Units are powers of 1,024, in any case. Never negative, at most 1 TiB.
 */
public final class Sizes {
  private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,13}) ?(?:b|([kmg])(?:i?b)?)?");
  private static final long LARGEST = 1L << 40;

  private Sizes() {}

  /**
   * Parses a number of bytes.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  public static long parse(String text) {
    Matcher written = WRITTEN.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a size; expected one such as 4096, 64KiB or 1MiB".formatted(text));
    }
    String unit = written.group(2);
    int shift = unit == null ? 0 : 10 * ("kmg".indexOf(unit) + 1);
    long number = Long.parseLong(written.group(1));
    if (number > LARGEST >> shift) {
      throw new IllegalArgumentException("'%s' is larger than 1 TiB".formatted(text));
    }
    return number << shift;
  }

  /** For options: {@code @Option(converter = Sizes.Bytes.class) long capture}. */
  public static final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      return Durations.converted(value, Sizes::parse);
    }
  }
}
