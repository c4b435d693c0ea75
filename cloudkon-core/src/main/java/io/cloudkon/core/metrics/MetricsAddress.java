package io.cloudkon.core.metrics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The address at which metrics are served. Immutable.
 *
 * @param host a name or an address of this machine, without brackets; default {@value
 *     #DEFAULT_HOST}
 * @param port 0 to 65535; 0 means any free port
 */
public record MetricsAddress(String host, int port) {
  /** Only this machine, unless the user makes the metrics accessible to others. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  private static final int MAX_PORT = 65_535;
  private static final Pattern WRITTEN =
      Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]:|([^:\\[\\]\\s]+):)?([0-9]{1,5})");

  /**
   * Parses {@code [HOST:]PORT}; an IPv6 address must be in brackets.
   *
   * @throws IllegalArgumentException if the text has another form; the message says what was
   *     expected
   */
  public static MetricsAddress parse(String text) {
    Matcher written = WRITTEN.matcher(text.strip());
    if (!written.matches() || Integer.parseInt(written.group(3)) > MAX_PORT) {
      throw new IllegalArgumentException(
          "'%s' is not [HOST:]PORT; expected one such as 9464, 0.0.0.0:9464 or [::1]:9464"
              .formatted(text));
    }
    String host = written.group(1) != null ? written.group(1) : written.group(2);
    return new MetricsAddress(
        host == null ? DEFAULT_HOST : host, Integer.parseInt(written.group(3)));
  }

  /** With brackets around an IPv6 address. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]:" : host + ":") + port;
  }

  /** Converts addresses for picocli. */
  public static final class Converter implements ITypeConverter<MetricsAddress> {
    @Override
    public MetricsAddress convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
