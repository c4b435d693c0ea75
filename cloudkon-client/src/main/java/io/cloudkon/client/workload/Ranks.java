package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cloudkon.core.model.Limits;

/** The number of an HPC job's ranks, as it is written. Stateless. */
final class Ranks {
  /** What every refusal says. */
  static final String EXPECTED = "a whole number from 1 to " + Limits.RANKS;

  /** Leading zeros may be written, but not for ever. */
  private static final int MAX_DIGITS = 9;

  private Ranks() {}

  /** The number that these characters write; 0 if they write none, or one out of bounds. */
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

  /** The same of a text. */
  static int parse(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    return parse(bytes, 0, bytes.length);
  }
}
