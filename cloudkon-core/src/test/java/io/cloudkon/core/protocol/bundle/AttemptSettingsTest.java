package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptSettingsTest {
  /** With one attempt alone, a bundle whose worker dies is not tried again at all. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "3, 3", "5, 3", "40, 3"})
  void tasks_run_one_by_one_in_the_last_attempt_at_the_latest(int max, int from) {
    AttemptSettings settings = AttemptSettings.ofMax(max);

    assertThat(settings.max()).isEqualTo(max);
    assertThat(settings.oneByOneFrom()).isEqualTo(from);
    assertThat(settings.maxInAll()).isGreaterThanOrEqualTo(max);
  }
}
