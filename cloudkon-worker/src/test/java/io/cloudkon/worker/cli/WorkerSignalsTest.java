package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerSignalsTest {
  private final List<String> done = new ArrayList<>();
  private final WorkerSignals signals =
      new WorkerSignals(
          besides -> done.add("drain" + besides), () -> done.add("exit"), () -> done.add("halt"));

  @Test
  void first_ctrl_c_drains_and_says_what_a_second_one_does() {
    signals.pressed();
    signals.ends();

    assertThat(done).containsExactly("exit", "drain; press Ctrl-C again to end at once");
  }

  @Test
  void second_ctrl_c_ends_at_once() {
    signals.pressed();
    signals.pressed();

    assertThat(done).containsExactly("exit", "halt");
  }

  @Test
  void sigterm_drains_and_a_ctrl_c_after_it_does_not_end_at_once() {
    signals.ends();
    signals.pressed();

    assertThat(done).containsExactly("drain", "exit");
  }
}
