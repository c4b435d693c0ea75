package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.price.Money;
import org.junit.jupiter.api.Test;

class PlanTextTest {
  @Test
  void table_has_a_line_for_each_fleet_and_no_line_is_wider_than_80_columns() {
    WorkloadPlan plan =
        Made.plan(
            Made.forecast(1, 123_456, 1_234, Bottleneck.RETENTION),
            Made.forecast(16_384, 59.94, 123_456, Bottleneck.CLIENT_COLLECTS));

    String text = PlanText.of(plan);

    assertThat(text.lines()).allMatch(line -> line.length() <= 80, "at most 80 columns");
    assertThat(text)
        .contains("tasks.txt: 1,000 tasks, 8 min 20 s of work, the longest task 500 ms\n")
        .contains(
            "      1       4     1 d 10 h     50.0 %      100   $617.00    $617.00    $1,234\n")
        .contains(
            " 16,384  65,536       59.9 s     50.0 %      100   $61,728    $61,728  $123,456\n")
        .contains("Q-workers every 5 s");
  }

  @Test
  void sample_and_shortened_times_are_said() {
    Forecast some =
        new Forecast(
            1,
            4,
            10,
            0,
            100,
            Made.forecast(1, 10, 1, Bottleneck.NONE).bill(),
            Bottleneck.NONE,
            new Simulated(Made.seen(10), 100_000, true));
    String text = PlanText.of(Made.plan(Made.load(5_000_000, 1, 1), null, some)).replace('\n', ' ');

    assertThat(text)
        .contains("a sample of 100,000 or more of the 5,000,000 was simulated for each fleet")
        .contains("Because tasks are long, shorter ones were simulated");
    assertThat(PlanText.of(Made.plan(Made.forecast(1, 10, 1, Bottleneck.NONE))))
        .doesNotContain("sample", "shorter");
  }

  @Test
  void sums_have_the_digits_that_matter() {
    assertThat(Money.text(0)).isEqualTo("$0");
    assertThat(Money.text(0.000_01)).isEqualTo("<$0.0001");
    assertThat(Money.text(0.0123)).isEqualTo("$0.0123");
    assertThat(Money.text(0.5)).isEqualTo("$0.500");
    assertThat(Money.text(12.345)).isEqualTo("$12.35");
    assertThat(Money.text(1234.5)).isEqualTo("$1,235");
  }
}
