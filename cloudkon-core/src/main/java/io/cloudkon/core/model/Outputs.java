package io.cloudkon.core.model;

import java.util.Arrays;

/** Limits the captured output of tasks, ranks and launchers. */
public final class Outputs {
  private Outputs() {}

  /** The first bytes; the array itself, not a copy, if it has no more than that. */
  public static byte[] head(byte[] bytes, int limit) {
    return bytes.length <= limit ? bytes : Arrays.copyOf(bytes, limit);
  }

  /** The first characters, without a partial character at the end. */
  public static String head(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    boolean halved = limit > 0 && Character.isHighSurrogate(text.charAt(limit - 1));
    return text.substring(0, halved ? limit - 1 : limit);
  }
}
