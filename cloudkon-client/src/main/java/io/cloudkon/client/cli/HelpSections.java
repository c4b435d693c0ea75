package io.cloudkon.client.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Splits the help of a command that submits tasks into common options and those for tuning and
 * special cases.
 */
class HelpSections implements CommandLine.IModelTransformer {
  /**
   * The options for tuning; all others are common. Those that require knowledge of the protocol
   * come last.
   */
  static final List<String> TUNING =
      List.of(
          "--abandoned",
          "--max-failures",
          "--capture",
          "--collect-failed",
          "--collect-size",
          "--collect-files",
          "--name",
          "--tag",
          "--stream",
          "--handlers",
          "--priority",
          "--no-progress",
          "--config",
          "--bucket",
          "--insecure-endpoint",
          "--consistency",
          "--claim",
          "--preset",
          "--bundle-target",
          "--bundle");

  @Override
  public CommandSpec transform(CommandSpec spec) {
    spec.usageMessage()
        .sectionMap()
        .put(
            SECTION_KEY_OPTION_LIST,
            help ->
                "%nCommon options:%n%s%nTuning and special cases:%n%s"
                    .formatted(common(help), tuning(help)));
    return spec;
  }

  private static String common(Help help) {
    return section(help, options(help, option -> !isTuning(option)));
  }

  private static String tuning(Help help) {
    return section(
        help,
        options(help, HelpSections::isTuning).stream()
            .sorted(Comparator.comparingInt(option -> TUNING.indexOf(option.longestName())))
            .toList());
  }

  private static boolean isTuning(OptionSpec option) {
    return TUNING.contains(option.longestName());
  }

  private static List<OptionSpec> options(Help help, Predicate<OptionSpec> filter) {
    return help.commandSpec().options().stream()
        .filter(option -> !option.hidden())
        .filter(filter)
        .toList();
  }

  private static String section(Help help, List<OptionSpec> options) {
    Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout.toString();
  }
}
