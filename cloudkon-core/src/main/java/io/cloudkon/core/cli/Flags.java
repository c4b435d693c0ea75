package io.cloudkon.core.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options without a value. */
final class Flags {
  private Flags() {}

  /**
   * Makes a flag on the command line mean true. Picocli gives it the opposite of its default, so
   * one that is also set in the environment or the configuration file would be false.
   *
   * @param command the command, whose options keep their order; its subcommands are included
   */
  static void switchOn(CommandSpec command) {
    List<OptionSpec> options = List.copyOf(command.options());
    options.forEach(command::remove);
    options.forEach(option ->
        command.addOption(
            isFlag(option) ? option.toBuilder().fallbackValue("true").build() : option));
    command.subcommands().values().forEach(sub -> switchOn(sub.getCommandSpec()));
  }

  private static boolean isFlag(OptionSpec option) {
    return option.arity().max() == 0
        && (option.type() == boolean.class || option.type() == Boolean.class)
        && option.fallbackValue().isEmpty();
  }
}
