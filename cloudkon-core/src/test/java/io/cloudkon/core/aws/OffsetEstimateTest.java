package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OffsetEstimateTest {
  private static final long START = 1_800_000_000_123L;

  /** An answer dated in the middle of a round trip by a clock that is ahead by offset. */
  private static long answer(OffsetEstimate estimate, long now, long offset, long roundTrip) {
    long dated = (now + roundTrip / 2 + offset) / 1000 * 1000;
    return estimate.observe(dated, now, now + roundTrip);
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400_000, -3000, 2500, 60_000})
  void first_answer_is_a_second_off_at_most(long offset) {
    assertThat(answer(new OffsetEstimate(), START, offset, 20))
        .isBetween(offset - 1020, offset + 1020);
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400_123, -3210, 2777, 60_001})
  void many_answers_narrow_it_down_to_a_round_trip(long offset) {
    OffsetEstimate estimate = new OffsetEstimate();
    SplittableRandom random = new SplittableRandom(offset);
    long now = START;
    long last = 0;
    for (int i = 0; i < 2000; i++) {
      now += random.nextInt(50);
      last = answer(estimate, now, offset, 2 + random.nextInt(30));
    }
    assertThat(last).isBetween(offset - 40, offset + 40);
  }

  @Test
  void long_poll_says_little_and_does_no_harm() {
    OffsetEstimate estimate = new OffsetEstimate();
    SplittableRandom random = new SplittableRandom(3);
    long now = START;
    long last = 0;
    for (int i = 0; i < 1000; i++) {
      now += random.nextInt(50);
      last = answer(estimate, now, 5000, random.nextInt(10) == 0 ? 20_000 : 10);
    }
    assertThat(last).isBetween(4950L, 5050L);
  }

  @Test
  void clock_that_is_not_shown_wrong_is_trusted() {
    OffsetEstimate estimate = new OffsetEstimate();
    for (int i = 0; i < 1000; i++) {
      assertThat(answer(estimate, START + i * 37L, 0, 5)).isZero();
    }
  }

  @Test
  void clock_that_is_set_is_followed_at_once() {
    OffsetEstimate estimate = new OffsetEstimate();
    for (int i = 0; i < 200; i++) {
      long unused = answer(estimate, START + i * 37L, 0, 5);
    }

    assertThat(answer(estimate, START + 10_000, 30_000, 5)).isBetween(28_900L, 30_100L);
  }

  @Test
  void clock_that_drifts_is_followed() {
    OffsetEstimate estimate = new OffsetEstimate();
    long last = 0;
    long end = 20 * OffsetEstimate.WINDOW_MILLIS;
    for (long at = 0; at < end; at += 97) {
      last = answer(estimate, START + at, 3000 + at / 10_000, 5);
    }
    assertThat(last).isBetween(3200L, 3260L);
  }

  @Test
  void date_that_is_kept_for_too_long_bends_it_by_less_than_that() {
    OffsetEstimate estimate = new OffsetEstimate();
    for (int i = 0; i < 500; i++) {
      long now = START + i * 37L;
      long stale = i % 7 == 0 ? 600 : 0;
      long dated = (now - stale) / 1000 * 1000;
      assertThat(Math.abs(estimate.observe(dated, now, now + 5))).isLessThanOrEqualTo(600);
    }
  }
}
