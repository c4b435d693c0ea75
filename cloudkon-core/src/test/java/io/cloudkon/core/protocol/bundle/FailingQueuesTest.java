package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailingQueuesTest {
  private static final long MINUTE = 60_000;

  private final FailingQueues queues = new FailingQueues(3 * MINUTE);

  @Test
  void queue_fails_for_long_once_its_sends_have_failed_one_after_the_other_for_the_patience() {
    assertThat(queues.failed("q", 0)).isFalse();
    assertThat(queues.failed("q", 2 * MINUTE)).isFalse();
    assertThat(queues.failed("q", 3 * MINUTE)).isTrue();
    assertThat(queues.failed("other", 3 * MINUTE)).isFalse();
  }

  @Test
  void failure_long_before_the_next_one_does_not_count() {
    assertThat(queues.failed("q", 0)).isFalse();
    assertThat(queues.failed("q", 2 * MINUTE + 1)).isFalse();
    assertThat(queues.failed("q", 4 * MINUTE)).isFalse();
    assertThat(queues.failed("q", 5 * MINUTE + 1)).isTrue();
  }

  @Test
  void queue_that_works_again_has_the_whole_patience() {
    assertThat(queues.failed("q", 0)).isFalse();
    assertThat(queues.failed("q", MINUTE)).isFalse();
    queues.over("q");
    assertThat(queues.failed("q", 3 * MINUTE)).isFalse();
  }
}
