package io.cloudkon.examples.readme;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The README's tables of options, and what stands in them according to the commands. */
final class OptionTables {
  private static final Pattern TABLE =
      Pattern.compile("(<!-- options: (\\w+) -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

  private OptionTables() {}

  /** The commands that have a table, in their order. */
  static List<String> commands(String readme) {
    return TABLE.matcher(readme).results().map(table -> table.group(2)).toList();
  }

  /** A command's table as it stands in the README. */
  static String table(String readme, String command) {
    return TABLE
        .matcher(readme)
        .results()
        .filter(table -> table.group(2).equals(command))
        .map(table -> table.group(3))
        .findFirst()
        .orElse("");
  }

  /** The README with another table of a command. */
  static String with(String readme, String command, String table) {
    return TABLE
        .matcher(readme)
        .replaceAll(
            found -> java.util.regex.Matcher.quoteReplacement(replaced(found, command, table)));
  }

  private static String replaced(MatchResult found, String command, String table) {
    String kept = found.group(2).equals(command) ? table : found.group(3);
    return found.group(1) + kept + found.group(4);
  }

  /** The table that a command's own options make; help and version are said once for all. */
  static String of(CommandSpec command) {
    StringBuilder table = new StringBuilder("\n| option | what it does |\n|---|---|\n");
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        table.append("| `%s` | %s |\n".formatted(names(option), description(option)));
      }
    }
    return table.append('\n').toString();
  }

  private static String names(OptionSpec option) {
    List<String> names = new ArrayList<>(List.of(option.names()));
    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return String.join(", ", names) + value + (option.splitRegex().isEmpty() ? "" : ",…");
  }

  private static String description(OptionSpec option) {
    String text = String.join(" ", option.description()).replace("$$", "$").replace("%%", "%");
    return (option.required() ? "Required. " : "") + text;
  }
}
