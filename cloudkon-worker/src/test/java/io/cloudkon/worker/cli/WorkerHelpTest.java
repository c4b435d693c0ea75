package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.HelpScreen;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WorkerHelpTest {
  @Test
  void common_options_fit_on_one_screen() {
    CommandLine command = HelpScreen.of(new WorkerCommand());

    HelpScreen.check(command);
    assertThat(HelpScreen.parts(command).getFirst())
        .contains("--allow", "--roles", "--exit-when-idle", "--task-user");
  }
}
