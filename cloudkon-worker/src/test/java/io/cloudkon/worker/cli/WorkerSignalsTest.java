package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerSignalsTest {
  private final List<String> done = new ArrayList<>();
  private final WorkerSignals signals =
      new WorkerSignals(
          besides -> done.add("drain" + besides),
          code -> done.add("exit " + code),
          code -> done.add("halt " + code));

  @Test
  void first_ctrl_c_drains_and_says_what_a_second_one_does() {
    signals.pressed();
    signals.ends();

    assertThat(done).containsExactly("exit 130", "drain; press Ctrl-C again to end immediately");
  }

  @Test
  void second_ctrl_c_ends_at_once() {
    signals.pressed();
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
    signals.terminated();

    assertThat(done).containsExactly("exit 143", "halt 143");
  }
}
