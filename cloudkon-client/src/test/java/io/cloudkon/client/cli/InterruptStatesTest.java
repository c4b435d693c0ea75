package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.cli.InterruptStates.Step;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InterruptStatesTest {
  private long now;
  private final InterruptStates states = new InterruptStates(() -> now);

  private Step signal(long afterMillis, boolean over, boolean asks) {
    now += TimeUnit.MILLISECONDS.toNanos(afterMillis);
    return states.signalled(over, asks);
  }

  @Test
  void second_press_cancels_and_a_third_ends_the_process() {
    assertThat(signal(0, false, true)).isEqualTo(Step.ASK);
    assertThat(signal(300, false, true)).isEqualTo(Step.CANCEL);
    assertThat(signal(300, false, true)).isEqualTo(Step.HALT);
    assertThat(states.leaves()).isFalse();
  }

  /** The terminal's and the one that a wrapper forwards: they cancelled the run. */
  @Test
  void signals_at_practically_the_same_time_are_one_press() {
    assertThat(signal(0, false, true)).isEqualTo(Step.ASK);
    assertThat(signal(2, false, true)).isEqualTo(Step.NOTHING);
    assertThat(signal(297, false, true)).isEqualTo(Step.NOTHING);
    assertThat(states.leaves()).isTrue();
    assertThat(signal(1, false, true)).isEqualTo(Step.HALT);
  }

  /** The second one ended the process before its report was printed. */
  @Test
  void second_signal_of_a_press_does_not_end_a_run_that_left_in_between() {
    assertThat(signal(0, false, false)).isEqualTo(Step.LEAVE);
    assertThat(signal(20, true, false)).isEqualTo(Step.NOTHING);
    assertThat(signal(300, true, false)).isEqualTo(Step.HALT);
  }

  @Test
  void press_after_the_run_ends_the_process_and_is_not_one_of_the_run() {
    assertThat(signal(0, true, true)).isEqualTo(Step.HALT);
    assertThat(states.pressedOnce()).isFalse();
  }
}
