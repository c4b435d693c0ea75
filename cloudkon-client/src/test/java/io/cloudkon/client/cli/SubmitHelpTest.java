package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.HelpScreen;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class SubmitHelpTest {

  static Stream<CommandLine> commands() {
    return Stream.of(new ClientCommand(), new RunCommand(), new RerunCommand()).map(HelpScreen::of);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void common_options_fit_on_one_screen(CommandLine command) {
    HelpScreen.check(command);
    assertThat(HelpScreen.parts(command).getFirst()).contains("--ship", "--retries");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void claims_presets_and_bundles_come_last(CommandLine command) {
    List<String> parts = HelpScreen.parts(command);

    assertThat(parts.getFirst()).doesNotContain("--claim", "--preset", "--bundle", "--bucket");
    assertThat(parts.getLast())
        .containsSubsequence(
            "--consistency", "--claim", "--preset", "--bundle-target", "--bundle=");
  }

  @Test
  void tuning_names_options_that_exist() {
    List<String> names =
        commands()
            .flatMap(command -> command.getCommandSpec().options().stream())
            .map(option -> option.longestName())
            .toList();

    assertThat(names).containsAll(SubmitHelp.TUNING);
  }
}
