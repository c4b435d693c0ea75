package io.cloudkon.core.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses and formats durations in a readable form: {@code 250ms}, {@code 1.5s}, {@code 2m}, {@code
 * 1h}, {@code 1d}. Never negative, at most 1,000 days. Also the base of picocli's converters, one
 * per dialect.
 */
public final class Durations {
  private static final Pattern WRITTEN =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)(us|ms|s|m|h|d)?");
  private static final Duration LONGEST = Duration.ofDays(1000);

  private Durations() {}

  /**
   * Parses a duration with a unit; only {@code 0} needs none.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  public static Duration parse(String text) {
    return parse(text, false);
  }

  /**
   * Parses a duration whose bare number is milliseconds.
   *
   * @throws IllegalArgumentException if it is none; the message says what was expected
   */
  public static Duration parseOrMillis(String text) {
    return parse(text, true);
  }

  /**
   * Writes a duration so that {@link #parse} reads it back: the largest unit in which it is a whole
   * number.
   */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    for (Unit unit : Unit.values()) {
      if (nanos % unit.nanos == 0) {
        return nanos / unit.nanos + unit.name().toLowerCase(Locale.ROOT);
      }
    }
    return nanos / Unit.US.nanos + "us";
  }

  /**
   * Writes milliseconds for people, without rounding: {@code 50 ms}, {@code 1.5 s}, {@code 90 s},
   * {@code 10 min}, {@code 2 h}.
   */
  public static String inWords(long millis) {
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis % 60_000 != 0) {
      return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString() + " s";
    }
    return millis % 3_600_000 == 0 ? millis / 3_600_000 + " h" : millis / 60_000 + " min";
  }

  private static Duration parse(String text, boolean bareIsMillis) {
    Matcher written = WRITTEN.matcher(text.strip());
    if (!written.matches()) {
      throw illegal(text, bareIsMillis);
    }
    BigDecimal number = new BigDecimal(written.group(1));
    String unit = written.group(2);
    if (unit == null && number.signum() != 0 && !bareIsMillis) {
      throw illegal(text, false);
    }
    Unit scale = unit == null ? Unit.MS : Unit.valueOf(unit.toUpperCase(Locale.ROOT));
    BigDecimal nanos =
        number.multiply(BigDecimal.valueOf(scale.nanos)).setScale(0, RoundingMode.HALF_UP);
    if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
      throw new IllegalArgumentException("'%s' is longer than 1000d".formatted(text));
    }
    return Duration.ofNanos(nanos.longValueExact());
  }

  private static IllegalArgumentException illegal(String text, boolean bareIsMillis) {
    return new IllegalArgumentException(
        "'%s' is not a duration; expected one such as 250ms, 30s, 2m or 1h%s"
            .formatted(text, bareIsMillis ? ", or a bare number of milliseconds" : ""));
  }

  private enum Unit {
    D(86_400_000_000_000L),
    H(3_600_000_000_000L),
    M(60_000_000_000L),
    S(1_000_000_000L),
    MS(1_000_000L),
    US(1_000L);

    final long nanos;

    Unit(long nanos) {
      this.nanos = nanos;
    }
  }

  /** For options that want a unit: {@code @Option(converter = Durations.WithUnit.class)}. */
  public static final class WithUnit implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return converted(value, Durations::parse);
    }
  }

  /** For options whose bare number is milliseconds. */
  public static final class OrMillis implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return converted(value, Durations::parseOrMillis);
    }
  }

  /** For options that {@code off} switches off, which becomes zero. */
  public static final class OrOff implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return value.equals("off") ? Duration.ZERO : converted(value, Durations::parse);
    }
  }

  static <T> T converted(String value, java.util.function.Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
