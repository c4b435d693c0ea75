package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpSectionsTest {
  private static final int SCREEN_LINES = 24;
  private static final String TUNING = "Tuning and special cases:";

  static Stream<CommandLine> commands() {
    return Stream.of(new ClientCommand(), new RunCommand(), new RerunCommand())
        .map(CommandLine::new)
        .peek(command -> command.setUsageHelpWidth(80).setUsageHelpLongOptionsMaxWidth(26));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void common_options_fit_on_one_screen(CommandLine command) {
    String common = parts(command).getFirst();

    assertThat(common).contains("Common options:", "--ship", "--retries", "--help");
    assertThat(common.lines()).hasSizeLessThanOrEqualTo(SCREEN_LINES);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void claims_presets_and_bundles_come_last(CommandLine command) {
    List<String> parts = parts(command);

    assertThat(parts.getFirst()).doesNotContain("--claim", "--preset", "--bundle", "--bucket");
    assertThat(parts.getLast())
        .containsSubsequence(
            "--consistency", "--claim", "--preset", "--bundle-target", "--bundle=");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void every_option_that_is_not_hidden_is_in_one_part(CommandLine command) {
    String usage = command.getUsageMessage();

    assertThat(command.getCommandSpec().options())
        .filteredOn(option -> !option.hidden())
        .allSatisfy(option ->
            assertThat(usage.lines().filter(line -> describes(line, option.longestName())))
                .as(option.longestName())
                .hasSize(1));
  }

  @Test
  void tuning_names_options_that_exist() {
    List<String> names =
        commands()
            .flatMap(command -> command.getCommandSpec().options().stream())
            .map(option -> option.longestName())
            .toList();

    assertThat(names).containsAll(HelpSections.TUNING);
  }

  private static boolean describes(String line, String name) {
    return line.matches(" {2}(    |-., )?" + name + "([ =].*)?");
  }

  private static List<String> parts(CommandLine command) {
    String usage = command.getUsageMessage();
    assertThat(usage).containsOnlyOnce(TUNING);
    return List.of(usage.split(TUNING));
  }
}
