package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Limits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EstimatesTest {

  @ParameterizedTest
  @CsvSource({"20000, 200", "5e6, 4", "NaN, 4", "1, 4096"})
  void startsAhead_few_slots_one_second_of_work_and_at_least_one_task_a_slot(
      double taskMicros, int expected) {
    assertThat(Estimates.startsAhead(taskMicros, 4)).isEqualTo(expected);
  }

  /** A worker with as many slots as {@code -t} allows died at its first task of known duration. */
  @ParameterizedTest
  @ValueSource(ints = {Limits.TASKS_PER_BUNDLE, 5_000, 10_000})
  void startsAhead_more_slots_than_a_bundle_has_tasks_a_bundle(int slots) {
    assertThat(Estimates.startsAhead(20_000, slots)).isEqualTo(Limits.TASKS_PER_BUNDLE);
    assertThat(Estimates.startsAhead(3.6e9, slots)).isEqualTo(Limits.TASKS_PER_BUNDLE);
    assertThat(Estimates.startsAhead(Double.NaN, slots)).isEqualTo(Limits.TASKS_PER_BUNDLE);
  }
}
