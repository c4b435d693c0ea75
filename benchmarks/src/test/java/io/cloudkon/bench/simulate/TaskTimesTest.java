package io.cloudkon.bench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTimesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, SAME",
    "16ms, 16, 16, SAME",
    "1.5s, 1500, 1500, SAME",
    "1ms..1s, 1, 1000, UNIFORM",
    "0..5ms, 0, 5, UNIFORM",
    "lognormal:1ms..1s, 1, 1000, LOG_NORMAL"
  })
  void duration_is_read_as_written(String text, int least, int most, TaskTimes.Spread spread) {
    assertThat(TaskTimes.parse(text)).isEqualTo(new TaskTimes(least, most, spread));
  }

  @ParameterizedTest
  @CsvSource({"16ms", "1ms..20ms", "lognormal:1ms..1s"})
  void label_reads_back(String text) {
    TaskTimes times = TaskTimes.parse(text);

    assertThat(TaskTimes.parse(times.label())).isEqualTo(times);
  }
}
