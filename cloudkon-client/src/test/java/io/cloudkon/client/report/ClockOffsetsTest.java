package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetsTest {
  private static final long T = 1_800_000_000_000_000L;

  private final ClockOffsets offsets = new ClockOffsets();

  @Test
  void a_symmetric_exchange_gives_the_offset_exactly() {
    long ahead = 5_000_000;

    assertThat(offsets.observe("w", T, T + 3_000 + ahead, T + 9_000 + ahead, T + 9_000 + 3_000))
        .isEqualTo(ahead);
  }

  @Test
  void a_clock_behind_gives_a_negative_offset() {
    assertThat(offsets.observe("w", T, T - 7_000_000, T - 6_999_000, T + 1_000))
        .isEqualTo(-7_000_000);
  }

  @Test
  void the_least_round_trip_wins_over_slower_ones() {
    offsets.observe("w", T, T + 1_000, T + 2_000, T + 3_000);

    assertThat(offsets.observe("w", T, T + 90_000_000, T + 90_001_000, T + 90_400_000)).isZero();
  }

  @Test
  void directions_are_taken_from_different_exchanges() {
    long ahead = 40_000;
    offsets.observe("w", T, T + 2_000 + ahead, T + 5_000 + ahead, T + 900_000);

    assertThat(offsets.observe("w", T, T + 900_000 + ahead, T + 901_000 + ahead, T + 903_000))
        .isEqualTo(ahead);
  }

  @Test
  void a_long_queue_does_not_count_as_an_offset() {
    assertThat(offsets.observe("w", T, T + 60_000_000, T + 60_100_000, T + 60_105_000)).isZero();
  }

  @Test
  void a_long_queue_still_bounds_a_wrong_clock() {
    long ahead = 100_000_000;

    assertThat(
            offsets.observe("w", T, T + 60_000_000 + ahead, T + 60_100_000 + ahead, T + 60_105_000))
        .isEqualTo(ahead - 5_000);
  }

  @Test
  void an_unknown_send_leaves_the_other_direction() {
    assertThat(offsets.observe("w", 0, T, T + 9_000_000, T + 1_000)).isEqualTo(8_999_000);
  }

  @Test
  void workers_are_kept_apart() {
    assertThat(offsets.observe("a", T, T + 1_000_000, T + 1_000_000, T)).isEqualTo(1_000_000);
    assertThat(offsets.observe("b", T, T, T, T)).isZero();
    assertThat(offsets.observe("a", T, T + 1_000_000, T + 1_000_000, T)).isEqualTo(1_000_000);
  }
}
