package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.SlotTimes;
import org.junit.jupiter.api.Test;

class SlotTimeMeansTest {
  private final SlotTimeMeans means = new SlotTimeMeans();

  @Test
  void wide_job_does_not_change_the_time_of_a_task() {
    assertThat(means.times()).isEqualTo(SlotTimes.UNKNOWN);
    means.ran(0, 10_000);
    means.ran(64, 3_600_000_000L);
    means.ran(0, 30_000);

    assertThat(means.times()).isEqualTo(new SlotTimes(20_000, 64 * 3_600e6));
  }

  @Test
  void what_took_no_time_took_a_microsecond() {
    means.ran(0, -5);
    means.ran(2, 0);

    assertThat(means.times()).isEqualTo(new SlotTimes(1, 1));
  }
}
