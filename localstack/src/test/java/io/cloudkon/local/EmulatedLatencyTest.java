package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmulatedLatencyTest {
  private static final int DRAWS = 10_001;

  /** The delays of so many answers in milliseconds; nothing waits. */
  private static List<Double> delays(Duration median, int answers) {
    List<Double> delays = new ArrayList<>();
    EmulatedLatency latency =
        new EmulatedLatency(median, time -> delays.add(time.toNanos() / 1_000_000.0));
    for (int i = 0; i < answers; i++) {
      latency.delay();
    }
    return delays;
  }

  @Test
  void delays_are_log_normal_with_the_median_asked_for() {
    List<Double> sorted = delays(Duration.ofMillis(10), DRAWS).stream().sorted().toList();
    assertThat(sorted.get(DRAWS / 2)).isCloseTo(10, within(0.3));
    assertThat(sorted.get(DRAWS * 99 / 100)).isCloseTo(30, within(3.0));
    assertThat(sorted.get(DRAWS / 100)).isCloseTo(10.0 / 3, within(0.4));
  }

  @Test
  void same_delays_come_in_the_same_order_each_time() {
    List<Double> once = delays(Duration.ofMillis(10), 100);
    assertThat(delays(Duration.ofMillis(10), 100)).isEqualTo(once);
    assertThat(once).doesNotHaveDuplicates();
  }

  @Test
  void longest_delay_is_what_clients_wait_for_at_most() {
    assertThat(delays(Duration.ofSeconds(9), DRAWS)).allMatch(millis -> millis <= 10_000);
  }

  @Test
  void no_latency_waits_for_nothing() {
    assertThat(delays(Duration.ZERO, 10)).isEmpty();
  }
}
