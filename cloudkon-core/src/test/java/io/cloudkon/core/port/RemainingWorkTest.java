package io.cloudkon.core.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class RemainingWorkTest {
  private static RemainingWork work(double taskMicros, double jobMicros) {
    return new RemainingWork(1, new SlotTimes(taskMicros, jobMicros), 2, 8, Set.of());
  }

  @Test
  void slot_time_is_that_of_the_tasks_and_that_of_the_jobs() {
    assertThat(work(10, 1_000).slotMicros(5)).isEqualTo(2_030);
    assertThat(work(10, 1_000).slotMicros(1)).isEqualTo(1_000);
  }

  @Test
  void slot_time_is_unknown_if_that_of_some_of_the_work_is() {
    assertThat(work(10, 0).slotMicros(5)).isZero();
    assertThat(work(0, 1_000).slotMicros(5)).isZero();
    assertThat(work(0, 1_000).slotMicros(2)).isEqualTo(2_000);
  }
}
