import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes a command's manual page in the macros of man(7), which groff, mandoc and man understand
 * without any more packages. All that it says comes from picocli's model of the command, as {@code
 * --help} does.
 */
final class ManualPage {
  private final StringBuilder page = new StringBuilder();

  /**
   * Begins a page.
   *
   * @param name of the page: {@code cloudkon-run}
   * @param day the year, month and day on it
   * @param what the command does, in a few words
   */
  ManualPage(String name, String day, String version, String what) {
    page.append(
        ".TH \"%s\" \"1\" \"%s\" \"CloudKon %s\" \"CloudKon\"\n"
            .formatted(escaped(name.toUpperCase()), day, escaped(version)));
    page.append(".nh\n.ad l\n"); // words of a command line must not be broken or spread
    section("NAME");
    page.append("%s \\- %s\n".formatted(escaped(name), escaped(what)));
  }

  /** The whole page of a command but for what other pages it names. */
  ManualPage of(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    section("SYNOPSIS");
    verbatim(synopsis(command));
    section("DESCRIPTION");
    prose(List.of(spec.usageMessage().description()));
    options(spec);
    subcommands(command);
    List<String> footer = List.of(spec.usageMessage().footer());
    int examples = footer.indexOf("Examples:");
    section("NOTES", examples < 0 ? footer : footer.subList(0, examples));
    section("EXAMPLES", examples < 0 ? List.of() : footer.subList(examples + 1, footer.size()));
    return this;
  }

  /** A section of paragraphs, in which indented lines stay as they are. None if all is blank. */
  ManualPage section(String title, List<String> lines) {
    if (lines.stream().anyMatch(line -> !line.isBlank())) {
      section(title);
      prose(lines);
    }
    return this;
  }

  /** A section that explains terms. */
  ManualPage terms(String title, List<String[]> terms) {
    section(title);
    terms.forEach(term -> term("\\fB" + escaped(term[0]) + "\\fR", term[1]));
    return this;
  }

  /** A section that names other pages. */
  ManualPage seeAlso(Collection<String> pages) {
    section("SEE ALSO");
    List<String> references =
        pages.stream().map(other -> "\\fB%s\\fR(1)".formatted(escaped(other))).toList();
    page.append(String.join(",\n", references)).append('\n');
    return this;
  }

  @Override
  public String toString() {
    return page.toString();
  }

  private static List<String> synopsis(CommandLine command) {
    Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Ansi.OFF));
    String custom = help.customSynopsis();
    String synopsis = custom.isEmpty() ? help.abbreviatedSynopsis() : custom;
    return synopsis.lines().map(line -> line.replaceFirst("^(Usage:)? +", "")).toList();
  }

  private void options(CommandSpec spec) {
    if (spec.positionalParameters().stream().anyMatch(parameter -> !parameter.hidden())) {
      section("ARGUMENTS");
    }
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (!parameter.hidden()) {
        String more = parameter.arity().max() > 1 ? "\\fR..." : "\\fR";
        term("\\fI" + escaped(parameter.paramLabel()) + more, text(parameter.description()));
      }
    }
    section("OPTIONS");
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        String required = option.required() ? "Required. " : "";
        term(names(option), required + text(option.description()));
      }
    }
  }

  private static String names(OptionSpec option) {
    List<String> names = new ArrayList<>();
    for (String name : option.names()) {
      String shown = option.negatable() ? name.replaceFirst("^--", "--[no-]") : name;
      names.add("\\fB" + escaped(shown) + "\\fR");
    }
    String value =
        option.arity().max() == 0
            ? ""
            : " \\fI%s\\fR%s"
                .formatted(
                    escaped(option.paramLabel()), option.splitRegex().isEmpty() ? "" : ",...");
    return String.join(", ", names) + value;
  }

  private void subcommands(CommandLine command) {
    if (!command.getSubcommands().isEmpty()) {
      section("COMMANDS");
    }
    for (CommandLine sub : new LinkedHashSet<>(command.getSubcommands().values())) {
      CommandSpec spec = sub.getCommandSpec();
      term(
          "\\fB%s\\fR(1)".formatted(escaped(spec.qualifiedName("-"))),
          text(spec.usageMessage().description()));
    }
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  /** A term, which is roff already, and what it means. */
  private void term(String term, String meaning) {
    page.append(".TP\n%s\n%s\n".formatted(term, escaped(meaning.isBlank() ? "-" : meaning)));
  }

  private void prose(List<String> lines) {
    List<String> paragraph = new ArrayList<>();
    List<String> kept = new ArrayList<>();
    List<String> all = new ArrayList<>();
    lines.forEach(line -> all.addAll(List.of(line.split("%n|\n", -1))));
    for (String line : all) {
      if (line.startsWith("  ")) {
        flush(paragraph);
        kept.add(line.strip());
      } else {
        verbatim(kept);
        kept.clear();
        if (line.isBlank()) {
          flush(paragraph);
        } else {
          paragraph.add(line);
        }
      }
    }
    flush(paragraph);
    verbatim(kept);
  }

  private void flush(List<String> paragraph) {
    if (!paragraph.isEmpty()) {
      page.append(".PP\n").append(escaped(text(paragraph.toArray(String[]::new)))).append('\n');
      paragraph.clear();
    }
  }

  private void verbatim(List<String> lines) {
    if (!lines.isEmpty()) {
      page.append(".PP\n.nf\n");
      lines.forEach(line -> page.append(escaped(text(line))).append('\n'));
      page.append(".fi\n");
    }
  }

  /** Of picocli's strings, which are formats and have variables. */
  private static String text(String... lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%").replace("$$", "$").strip();
  }

  /** Text as roff prints it and nothing else: each sign itself, none of them a request. */
  static String escaped(String text) {
    StringBuilder roff = new StringBuilder(text.length() + 16);
    if (text.startsWith(".") || text.startsWith("'")) {
      roff.append("\\&");
    }
    text.codePoints().forEach(sign -> roff.append(escaped(sign)));
    return roff.toString();
  }

  private static String escaped(int sign) {
    return switch (sign) {
      case '\\' -> "\\e";
      case '-' -> "\\-";
      case '~' -> "\\(ti";
      case '^' -> "\\(ha";
      case '\'' -> "\\(aq";
      case '`' -> "\\(ga";
      case '…' -> "...";
      default -> sign < 128 ? Character.toString(sign) : "\\[u%04X]".formatted(sign);
    };
  }
}
