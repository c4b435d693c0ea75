package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BarePoolTest {

  @Test
  void tasks_that_sleep_take_at_least_their_time() {
    assertThat(BarePool.efficiency(4, 8, i -> 5)).isPositive().isLessThanOrEqualTo(100);
  }

  @Test
  void threads_without_a_task_count() {
    assertThat(BarePool.efficiency(4, 1, i -> 20)).isPositive().isLessThanOrEqualTo(25);
  }

  @Test
  void tasks_without_duration_are_no_work() {
    assertThat(BarePool.efficiency(2, 100, i -> 0)).isZero();
  }

  @Test
  void tasks_start_in_the_order_of_their_numbers() {
    Thread caller = Thread.currentThread();
    List<Integer> started = Collections.synchronizedList(new ArrayList<>());
    double _ =
        BarePool.efficiency(
            1,
            3,
            i -> {
              if (!Thread.currentThread().equals(caller)) {
                started.add(i);
              }
              return 1;
            });
    assertThat(started).containsExactly(0, 1, 2);
  }
}
