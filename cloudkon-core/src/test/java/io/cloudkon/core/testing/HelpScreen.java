package io.cloudkon.core.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import picocli.CommandLine;

/** A command's help, as a terminal of 80 columns and 24 lines shows it. */
public final class HelpScreen {
  private static final int LINES = 24;
  private static final String TUNING = "Tuning and special cases:";

  private HelpScreen() {}

  /** A command whose help has the width that the programs give it. */
  public static CommandLine of(Object command) {
    return new CommandLine(command).setUsageHelpWidth(80).setUsageHelpLongOptionsMaxWidth(26);
  }

  /** The help up to the options for tuning, and the rest. */
  public static List<String> parts(CommandLine command) {
    String usage = command.getUsageMessage();
    assertThat(usage).containsOnlyOnce(TUNING);
    return List.of(usage.split(TUNING));
  }

  /**
   * Checks that the common options fit on one screen with what stands before them, and that every
   * option is in one of the parts.
   */
  public static void check(CommandLine command) {
    assertThat(parts(command).getFirst())
        .contains("Common options:", "--help")
        .satisfies(common -> assertThat(common.lines()).hasSizeLessThanOrEqualTo(LINES));
    assertThat(command.getCommandSpec().options())
        .filteredOn(option -> !option.hidden())
        .allSatisfy(option ->
            assertThat(
                    command
                        .getUsageMessage()
                        .lines()
                        .filter(line -> describes(line, option.longestName())))
                .as(option.longestName())
                .hasSize(1));
  }

  private static boolean describes(String line, String name) {
    return line.matches(" {2}(    |-., )?" + name + "([ =].*)?");
  }
}
