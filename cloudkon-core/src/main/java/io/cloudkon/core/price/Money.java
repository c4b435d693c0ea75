package io.cloudkon.core.price;

import java.util.Locale;

/** Formats amounts in USD. Stateless. */
public final class Money {
  private Money() {}

  /** {@code $0.0012}, {@code $0.34}, {@code $12.50}, {@code $1,234}; {@code <$0.0001}. */
  public static String text(double usd) {
    if (usd < 0.000_05) {
      return usd == 0 ? "$0" : "<$0.0001";
    }
    int decimals = usd < 0.0995 ? 4 : usd < 0.995 ? 3 : usd < 999.5 ? 2 : 0;
    return String.format(Locale.ROOT, "$%,." + decimals + "f", usd);
  }
}
