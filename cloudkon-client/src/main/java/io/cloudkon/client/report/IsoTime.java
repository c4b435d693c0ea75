package io.cloudkon.client.report;

import static io.cloudkon.client.report.JsonBytes.ascii;

import java.time.Instant;

/**
 * Writes times in ISO 8601, in UTC with microseconds: {@code 2026-01-31T12:00:00.000001Z}.
 * Consecutive times within the same second cost no more than their digits. Not thread safe.
 */
final class IsoTime {
  private static final long MICROS = 1_000_000;
  private static final byte[] END = ascii("Z\"");
  private static final byte[] POINT = ascii(".");

  private long second = Long.MIN_VALUE;
  private byte[] before = new byte[0];

  /**
   * Appends a time as a string.
   *
   * @param micros microseconds since 1970
   */
  void write(JsonBytes json, long micros) {
    long now = Math.floorDiv(micros, MICROS);
    if (now != second) {
      second = now;
      before = ascii('"' + Instant.ofEpochSecond(now).toString().replace('Z', '.'));
    }
    json.raw(before).sixDigits(Math.floorMod(micros, MICROS)).raw(END);
  }

  /** Appends a time span in seconds, as a number. */
  static void writeSeconds(JsonBytes json, long micros) {
    json.number(micros / MICROS).raw(POINT).sixDigits(micros % MICROS);
  }
}
