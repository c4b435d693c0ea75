package io.cloudkon.core.cli;

import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.core.config.Nearest;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.process.Launcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns an exception that ends a command into one line on standard error and an exit code. */
final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final boolean debug;
  private @Nullable LayeredDefaults defaults;

  ErrorLine(boolean debug) {
    this.debug = debug;
  }

  /** Sets the source of default values, for messages about values that picocli rejects. */
  void defaults(LayeredDefaults layered) {
    this.defaults = layered;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    String text = describe(e) + origin(e);
    String help =
        "see %s --help"
            .formatted(
                line.getCommandSpec()
                    .qualifiedName(" ")
                    .replaceFirst("^" + Cli.PROGRAM, Matcher.quoteReplacement(Launcher.name())));
    print(line, text + (text.endsWith("?") ? " " : "; ") + help, e);
    return ExitCodes.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, @Nullable ParseResult parsed) {
    return switch (e) {
      case CloudKonException known -> {
        print(line, String.valueOf(known.getMessage()), known);
        yield known.exitCode();
      }
      case InterruptedException interrupted -> {
        print(line, "interrupted", interrupted);
        yield ExitCodes.INTERRUPTED;
      }
      default -> internal(e, line);
    };
  }

  /** Reports an internal error. */
  int internal(Throwable e, CommandLine line) {
    String hint = debug ? "" : "; set %s=1 for the stack trace".formatted(Cli.DEBUG);
    print(line, "internal error: %s%s".formatted(e, hint), e);
    return ExitCodes.SOME_FAILED;
  }

  private void print(CommandLine line, String message, Throwable cause) {
    String name = line.getCommandSpec().qualifiedName(" ");
    line.getErr()
        .println(name + ": " + Printable.text(message.strip().replaceAll("\\s*\\R\\s*", " ")));
    if (debug) {
      cause.printStackTrace(line.getErr());
    }
    line.getErr().flush();
  }

  private static String describe(ParameterException e) {
    return switch (e) {
      case ParameterException incomplete when lacksCommand(incomplete) ->
          "a command is missing; expected one of: "
              + String.join(", ", incomplete.getCommandLine().getSubcommands().keySet());
      case UnmatchedArgumentException unmatched -> unmatched(unmatched);
      case MissingParameterException missing -> spelled(lowerFirst(missing.getMessage()));
      case ParameterException other -> withoutTypes(lowerFirst(other.getMessage()));
    };
  }

  /** Whether nothing, or an option of such a command, stands in place of a subcommand. */
  private static boolean lacksCommand(ParameterException e) {
    boolean noOption =
        e instanceof UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().getFirst().startsWith("-");
    CommandLine line = e.getCommandLine();
    boolean needsOne =
        !line.getSubcommands().isEmpty() && !(line.getCommand() instanceof Callable<?>);
    return needsOne && !noOption;
  }

  /** Spells options and their values as the help does: {@code -s QUEUE}, and not {@code -s=}. */
  private static String spelled(String text) {
    return text.replaceAll("'(-[^'= ]+)=", "'$1 ");
  }

  /** Removes the names of Java types, which mean nothing to the user. */
  private static String withoutTypes(String text) {
    return text.replaceFirst(
            "'(-?\\d+)' is not an int$", "'$1' is not a whole number up to " + Integer.MAX_VALUE)
        .replaceFirst(
            "'(-?\\d+)' is not a long$", "'$1' is not a whole number up to " + Long.MAX_VALUE)
        .replaceFirst("' is not an? (int|long)$", "' is not a whole number")
        .replaceFirst("' is not a (double|float)$", "' is not a number");
  }

  private static String unmatched(UnmatchedArgumentException e) {
    String first = e.getUnmatched().getFirst();
    CommandLine line = e.getCommandLine();
    if (first.startsWith("-")) {
      String option = first.replaceFirst("=.*", "");
      List<String> names = new ArrayList<>();
      for (OptionSpec known : line.getCommandSpec().options()) {
        names.addAll(List.of(known.names()));
      }
      Optional<String> instead =
          line.getCommand() instanceof ForeignOptions foreign
              ? foreign.instead(option)
              : Optional.empty();
      return "unknown option '%s'%s"
          .formatted(option, instead.map(text -> "; " + text).orElse(Nearest.hint(option, names)));
    }
    boolean wantsCommand = !line.getSubcommands().isEmpty();
    return wantsCommand
        ? "unknown command '%s'%s"
            .formatted(first, Nearest.hint(first, line.getSubcommands().keySet()))
        : "unexpected argument '%s'".formatted(first);
  }

  /** The place where a wrong value was set; empty if it was the command line. */
  private String origin(ParameterException e) {
    if (defaults == null || e.getArgSpec() == null) {
      return "";
    }
    return defaults
        .setting(e.getArgSpec())
        .filter(setting -> setting.value().equals(e.getValue()))
        .map(setting -> " (set by %s)".formatted(setting.where()))
        .orElse("");
  }

  private static String lowerFirst(@Nullable String text) {
    return text == null || text.isEmpty()
        ? "wrong usage"
        : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
