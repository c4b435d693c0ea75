package io.cloudkon.examples.readme;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The document's tables of options, and what stands in them according to the commands. */
final class OptionTables {
  private static final Pattern TABLE =
      Pattern.compile("(<!-- options: ([\\w ]+?) -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);

  private OptionTables() {}

  /** The commands that have a table, in their order. */
  static List<String> commands(String document) {
    return TABLE.matcher(document).results().map(table -> table.group(2)).toList();
  }

  /** A command's table as it stands in the document. */
  static String table(String document, String command) {
    return TABLE
        .matcher(document)
        .results()
        .filter(table -> table.group(2).equals(command))
        .map(table -> table.group(3))
        .findFirst()
        .orElse("");
  }

  /** The document with another table of a command. */
  static String with(String document, String command, String table) {
    return TABLE
        .matcher(document)
        .replaceAll(found -> Matcher.quoteReplacement(replaced(found, command, table)));
  }

  private static String replaced(MatchResult found, String command, String table) {
    String kept = found.group(2).equals(command) ? table : found.group(3);
    return found.group(1) + kept + found.group(4);
  }

  /**
   * The table that a command's own options and parameters make; help and version are said once for
   * all.
   */
  static String of(CommandSpec command) {
    StringBuilder table = new StringBuilder("\n| option | what it does |\n|---|---|\n");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        row(table, name(parameter), parameter.required(), parameter.description());
      }
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        row(table, names(option), option.required(), option.description());
      }
    }
    return table.append('\n').toString();
  }

  private static void row(
      StringBuilder table, String names, boolean required, String[] description) {
    String text = String.join(" ", description).replace("$$", "$").replace("%%", "%");
    table.append(
        "| `%s` | %s%s |\n".formatted(cell(names), required ? "Required. " : "", cell(text)));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String name(PositionalParamSpec parameter) {
    return parameter.paramLabel() + (parameter.arity().max() > 1 ? "…" : "");
  }

  private static String names(OptionSpec option) {
    List<String> names = new ArrayList<>(List.of(option.names()));
    if (option.negatable()) {
      names.replaceAll(name -> name.replaceFirst("^--", "--[no-]"));
    }
    String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
    return String.join(", ", names) + value + (option.splitRegex().isEmpty() ? "" : ",…");
  }
}
