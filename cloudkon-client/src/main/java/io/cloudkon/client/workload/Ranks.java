package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cloudkon.core.model.Limits;

/** Parses the number of an HPC job's ranks. Stateless. */
final class Ranks {
  /** The expected value, as each refusal names it. */
  static final String EXPECTED = "a whole number from 1 to " + Limits.RANKS;

  /** The most digits, including leading zeros. */
  private static final int MAX_DIGITS = 9;

  private Ranks() {}

  /** The number of ranks; 0 if the characters are not a number or the number is out of bounds. */
  static int parse(byte[] bytes, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9' || to - from > MAX_DIGITS) {
        return 0;
      }
      number = 10 * number + bytes[i] - '0';
    }
    return number <= Limits.RANKS ? number : 0;
  }

  /** Parses text in the same way. */
  static int parse(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    return parse(bytes, 0, bytes.length);
  }
}
