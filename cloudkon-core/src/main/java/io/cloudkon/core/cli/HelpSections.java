package io.cloudkon.core.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Splits a command's help into common options and those for tuning and special cases, which come in
 * the order of their list. picocli creates it without arguments, once for each command.
 */
public abstract class HelpSections implements CommandLine.IModelTransformer {
  private final List<String> tuning;

  /**
   * The sections of a command.
   *
   * @param tuning the longest names of the options for tuning; all others are common
   */
  protected HelpSections(List<String> tuning) {
    this.tuning = List.copyOf(tuning);
  }

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

  private String common(Help help) {
    return section(help, options(help, option -> !isTuning(option)));
  }

  private String tuning(Help help) {
    return section(
        help,
        options(help, this::isTuning).stream()
            .sorted(Comparator.comparingInt(option -> tuning.indexOf(option.longestName())))
            .toList());
  }

  private boolean isTuning(OptionSpec option) {
    return tuning.contains(option.longestName());
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
