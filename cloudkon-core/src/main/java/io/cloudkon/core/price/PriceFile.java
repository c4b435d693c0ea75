package io.cloudkon.core.price;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.Set;

/** The price list of this version, from the file {@code prices.properties} next to this class. */
final class PriceFile {
  private final Properties lines = new Properties();

  /** Reads the file. */
  PriceFile() {
    try (InputStream in = PriceFile.class.getResourceAsStream("prices.properties")) {
      if (in == null) {
        throw new IllegalStateException("prices.properties is missing from the jar");
      }
      lines.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Set<String> keys() {
    return lines.stringPropertyNames();
  }

  String text(String key) {
    String value = lines.getProperty(key);
    if (value == null) {
      throw new IllegalStateException("prices.properties lacks " + key);
    }
    return value;
  }

  double number(String key) {
    return Double.parseDouble(text(key));
  }
}
