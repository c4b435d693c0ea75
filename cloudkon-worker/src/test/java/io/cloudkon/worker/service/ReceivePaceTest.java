package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReceivePaceTest {
  private final ReceivePace pace = new ReceivePace();

  @Test
  void receives_pause_for_bundles_that_are_put_back_unless_one_is_begun() {
    assertThat(pace.next()).isZero();
    pace.returned();
    pace.returned();
    assertThat(pace.next()).isEqualTo(40);
    assertThat(pace.next()).as("only for those since the last receive").isZero();
    for (int i = 0; i < 500; i++) {
      pace.returned();
    }
    assertThat(pace.next()).isEqualTo(200);
    pace.returned();
    pace.begun();
    assertThat(pace.next()).isZero();
  }

  @Test
  void receives_pause_ever_longer_while_this_worker_can_start_nothing_that_comes() {
    pace.begun();
    pace.hindered(1);
    pace.hindered(1);
    assertThat(pace.next()).as("once for all tasks of a bundle").isEqualTo(100);
    assertThat(pace.next()).as("until a task can start").isEqualTo(100);
    pace.hindered(2);
    assertThat(pace.next()).isEqualTo(200);
    for (int i = 3; i < 500; i++) {
      pace.hindered(i);
    }
    assertThat(pace.next()).isEqualTo(5_000);

    pace.starts();
    assertThat(pace.next()).isZero();
  }
}
