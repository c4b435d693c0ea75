package io.cloudkon.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorityTest {
  @ParameterizedTest
  @CsvSource({"LOW, low, 0.25", "NORMAL, normal, 1", "HIGH, high, 4"})
  void priority_has_a_label_and_a_weight(Priority priority, String label, double weight) {
    assertThat(priority.label()).isEqualTo(label);
    assertThat(priority.weight()).isEqualTo(weight);
  }
}
