package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpreadTest {
  private static long[] draws(String text, int count) {
    SplittableRandom random = new SplittableRandom(7);
    Spread spread = Spread.parse(text);
    return LongStream.generate(() -> spread.draw(random)).limit(count).toArray();
  }

  @Test
  void one_time_is_every_tasks() {
    assertThat(draws("50ms", 3)).containsOnly(50_000);
    assertThat(Spread.parse("50ms")).hasToString("50ms");
  }

  @Test
  void range_is_log_normal_around_its_geometric_mean_and_within_its_bounds() {
    long[] draws = draws("10ms..1s", 10_001);
    Arrays.sort(draws);

    assertThat(draws[0]).isBetween(10_000L, 12_000L);
    assertThat(draws[10_000]).isBetween(900_000L, 1_000_000L);
    assertThat(draws[5_000]).isBetween(95_000L, 105_000L);
    assertThat(Spread.parse("10ms..1s")).hasToString("10ms..1s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "1s..", "..1s", "0s..1s", "2s..1s", "50", "-1s", "1s..2s..3s"})
  void what_is_no_time_and_no_range_is_refused(String text) {
    assertThatThrownBy(() -> Spread.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }
}
