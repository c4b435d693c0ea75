package io.cloudkon.client.answers;

import java.util.regex.Pattern;

/** Texts that are numbers. */
final class NumberText {
  private static final Pattern FINITE =
      Pattern.compile("[-+]?(\\d{1,300}(\\.\\d{0,300})?|\\.\\d{1,300})([eE][-+]?\\d{1,3})?");

  private NumberText() {}

  /** Whether it is a decimal number, such as {@code -.5} or {@code 1e-9}, and nothing else. */
  static boolean isFinite(String text) {
    return FINITE.matcher(text).matches();
  }
}
