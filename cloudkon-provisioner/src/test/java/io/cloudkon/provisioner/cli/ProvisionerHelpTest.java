package io.cloudkon.provisioner.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.HelpScreen;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ProvisionerHelpTest {
  @Test
  void common_options_fit_on_one_screen() {
    CommandLine command = HelpScreen.of(new ProvisionerCommand());

    HelpScreen.check(command);
    assertThat(HelpScreen.parts(command).getFirst())
        .contains("--launcher", "--max=", "--launch-template", "--explain");
  }
}
