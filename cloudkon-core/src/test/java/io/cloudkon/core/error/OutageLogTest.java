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
  void outage_is_said_at_its_beginning_once_a_minute_and_at_its_end() {
    for (int second = 0; second < 150; second++) {
      log.failed("no answer");
      time.advance(Duration.ofSeconds(1));
    }
    log.succeeded();
    log.succeeded();

    assertThat(lines)
        .containsExactly(
            "receive failed, trying again: no answer",
            "receive has failed for 60 s now, 61 times, trying again: no answer",
            "receive has failed for 120 s now, 121 times, trying again: no answer",
            "receive works again, after 150 s");
  }

  @Test
  void single_failure_is_one_line_and_the_next_one_begins_anew() {
    log.failed("throttled");
    log.succeeded();
    log.failed("no answer");

    assertThat(lines)
        .containsExactly(
            "receive failed, trying again: throttled", "receive failed, trying again: no answer");
  }
}
