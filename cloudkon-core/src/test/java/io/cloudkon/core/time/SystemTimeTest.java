package io.cloudkon.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
  private final AtomicLong mono = new AtomicLong(5_000_000);
  private final AtomicLong wall = new AtomicLong(1_000_000);
  private final SystemTime time = new SystemTime(() -> mono.get() * 1_000_000, () -> wall.get());

  private void passes(long millis) {
    mono.addAndGet(millis);
    wall.addAndGet(millis);
  }

  @Test
  void lease_of_another_counts_as_over_only_as_far_as_both_clocks_moved_since_the_last_answer() {
    time.learn(70);
    passes(10);
    assertThat(time.now()).isEqualTo(new Moment(5_000_010, 1_000_080, 0));

    wall.addAndGet(20_000); // set ahead, or the machine slept

    assertThat(time.now()).isEqualTo(new Moment(5_000_010, 1_020_080, 20_000));
    assertThat(time.now().expiredBefore(2_000)).isEqualTo(1_000_080 - 2_000);
    assertThat(time.now().lease(15_000)).isEqualTo(new Moment(5_015_010, 1_015_080));
    assertThat(time.now().eitherPast(new Moment(5_010_000, 1_010_000)))
        .as("an own lease is over if either clock says so")
        .isTrue();

    time.learn(-19_930);
    passes(5);
    assertThat(time.now()).isEqualTo(new Moment(5_000_015, 1_000_085, 0));
  }

  @Test
  void clock_that_is_set_back_is_no_leap() {
    time.learn(0);
    wall.addAndGet(-5_000);

    assertThat(time.now().leap()).isZero();
  }

  @Test
  void machine_whose_clock_is_the_services_has_no_leap() {
    wall.addAndGet(3_600_000);

    assertThat(time.now()).isEqualTo(new Moment(5_000_000, 4_600_000, 0));
  }
}
