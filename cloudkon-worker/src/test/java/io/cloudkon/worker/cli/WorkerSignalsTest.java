package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WorkerSignalsTest {
  private final List<String> done = new ArrayList<>();
  private long now;
  private final WorkerSignals signals =
      new WorkerSignals(
          besides -> done.add("drain" + besides),
          code -> done.add("exit " + code),
          code -> done.add("halt " + code),
          () -> now);

  private void later(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void first_ctrl_c_drains_and_says_what_a_second_one_does() {
    signals.pressed();
    signals.ends();

    assertThat(done).containsExactly("exit 130", "drain; press Ctrl-C again to end immediately");
  }

  @Test
  void second_ctrl_c_ends_at_once() {
    signals.pressed();
    later(300);
    signals.pressed();

    assertThat(done).containsExactly("exit 130", "halt 130");
  }

  @Test
  void sigterm_drains_and_a_ctrl_c_after_it_does_not_end_at_once() {
    signals.terminated();
    signals.ends();
    signals.pressed();

    assertThat(done).containsExactly("exit 143", "drain", "exit 130");
  }

  @Test
  void second_sigterm_ends_at_once() {
    signals.terminated();
    later(300);
    signals.terminated();

    assertThat(done).containsExactly("exit 143", "halt 143");
  }

  /** The terminal's and the one that a wrapper forwards: the worker ended without a drain. */
  @Test
  void two_interrupts_at_practically_the_same_time_drain() {
    signals.pressed();
    later(299);
    signals.pressed();

    assertThat(done).containsExactly("exit 130");
  }

  /** {@code timeout} at its limit signals its child, and then the group. */
  @Test
  void two_terminations_at_practically_the_same_time_drain() {
    signals.terminated();
    later(2);
    signals.terminated();

    assertThat(done).containsExactly("exit 143");
  }
}
