package io.cloudkon.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageLogTest {
  private final ManualTime time = new ManualTime();
  private final List<String> lines = new ArrayList<>();
  private final OutageLog log = new OutageLog(lines::add, "receive", time::monotonicNanos);

  @Test
  void outage_is_said_after_a_minute_every_ten_minutes_and_at_its_end() {
    for (int second = 0; second < 700; second++) {
      log.failed("no answer");
      time.advance(Duration.ofSeconds(1));
    }
    log.succeeded();
    log.succeeded();

    assertThat(lines)
        .containsExactly(
            "receive has failed for 60 s now, 61 times, trying again: no answer",
            "receive has failed for 660 s now, 661 times, trying again: no answer",
            "receive works again, after 700 s");
  }

  @Test
  void refusal_is_said_at_once_and_not_again_soon() {
    log.refused("queue 'Q' does not exist");
    log.refused("queue 'Q' does not exist");

    assertThat(lines).containsExactly("receive has failed, trying again: queue 'Q' does not exist");
  }

  @Test
  void passing_failures_are_not_said() {
    for (int minute = 0; minute < 10; minute++) {
      log.failed("throttled");
      log.succeeded();
      time.advance(Duration.ofMinutes(1));
    }

    assertThat(lines).isEmpty();
  }
}
