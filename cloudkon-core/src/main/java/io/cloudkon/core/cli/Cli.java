package io.cloudkon.core.cli;

import io.cloudkon.core.config.Labels;
import io.cloudkon.core.config.LayeredDefaults;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import java.io.Console;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Runs a picocli command the way every CloudKon jar does: options from command line, environment
 * and file; each error as one line on standard error, also if standard output could not be written;
 * exit codes as in {@link ExitCodes}. Set {@value #DEBUG}{@code =1} for stack traces.
 *
 * <p>The command is a {@code Callable<Integer>} (its exit code) or a {@code Runnable}, annotated
 * {@code @Command(name = "client")}; it is shown as {@code cloudkon client}.
 */
public final class Cli {
  /** The variable that switches stack traces on. */
  public static final String DEBUG = "CLOUDKON_DEBUG";

  static final String PROGRAM = "cloudkon";
  private static final String CONFIG_OPTION = "--" + LayeredDefaults.CONFIG_KEY;

  private final Map<String, String> environment;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean colours;

  /** A run with injected environment and streams, for tests. */
  Cli(Map<String, String> environment, PrintWriter out, PrintWriter err, boolean colours) {
    this.environment = environment;
    this.out = out;
    this.err = err;
    this.colours = colours;
  }

  /**
   * Runs a command in this process.
   *
   * @param command an instance of the annotated class
   * @return the process's exit code
   */
  public static int run(Object command, String... args) {
    Charset charset = Charset.defaultCharset();
    boolean colours = onTerminal() && System.getenv("NO_COLOR") == null;
    return new Cli(
            System.getenv(),
            new PrintWriter(new OutputStreamWriter(System.out, charset), true),
            new PrintWriter(new OutputStreamWriter(System.err, charset), true),
            colours)
        .execute(command, args);
  }

  /** Whether both streams are a terminal; the JDK does not distinguish them. */
  @SuppressWarnings("SystemConsoleNull") // not on every JDK: 25 went back to null
  private static boolean onTerminal() {
    @Nullable Console console = System.console();
    return console != null && console.isTerminal();
  }

  int execute(Object command, String... args) {
    CommandLine line = new CommandLine(command);
    if (!line.getCommandName().startsWith(PROGRAM)) {
      line.setCommandName(PROGRAM + " " + line.getCommandName());
    }
    ErrorLine errors = new ErrorLine(!environment.getOrDefault(DEBUG, "0").equals("0"));
    line.setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(colours ? Ansi.ON : Ansi.OFF))
        .setUsageHelpWidth(80)
        .setUsageHelpLongOptionsMaxWidth(26)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
    line.getCommandSpec().versionProvider(Version::lines);
    convertLabels(line);
    Flags.switchOn(line.getCommandSpec());
    try {
      if (!asksForHelp(args)) {
        LayeredDefaults defaults =
            LayeredDefaults.load(
                line.getCommandSpec(), environment, configFile(line.getCommandSpec(), args));
        line.setDefaultValueProvider(defaults);
        errors.defaults(defaults);
      }
      return StandardOutput.check(line.execute(args));
    } catch (UsageException e) {
      return errors.handleExecutionException(e, line, null);
    } catch (LocalFileException e) {
      return errors.handleExecutionException(e, lastCommand(line), null);
    } catch (Error e) {
      return errors.internal(e, line);
    }
  }

  /** The command that was executed, which may be one of this one's own commands. */
  private static CommandLine lastCommand(CommandLine line) {
    return line.getParseResult().asCommandLineList().getLast();
  }

  /** Makes options of enum types take labels, and errors list them. */
  private static void convertLabels(CommandLine line) {
    for (OptionSpec option : line.getCommandSpec().options()) {
      if (option.type().isEnum() && option.converters().length == 0) {
        convertLabels(line, option.type());
      }
    }
    line.getSubcommands().values().forEach(Cli::convertLabels);
  }

  private static <E> void convertLabels(CommandLine line, Class<E> type) {
    line.registerConverter(type, Labels.converter(type));
  }

  /**
   * Whether help is requested, which must work even if the configuration is broken, because it says
   * how to fix it.
   */
  private static boolean asksForHelp(String... args) {
    for (String arg : args) {
      if (arg.equals("--help") || arg.equals("-h") || arg.equals("--version")) {
        return true;
      }
      if (arg.equals("--")) {
        return false;
      }
    }
    return false;
  }

  private static boolean readsConfig(CommandSpec command) {
    return command.optionsMap().containsKey(CONFIG_OPTION)
        || command.subcommands().values().stream()
            .anyMatch(sub -> readsConfig(sub.getCommandSpec()));
  }

  /**
   * The configuration file, which is read before picocli parses the arguments, because picocli
   * needs the defaults.
   */
  private @Nullable Path configFile(CommandSpec command, String... args) {
    if (!readsConfig(command)) {
      return null;
    }
    String file = environment.get(LayeredDefaults.variable(LayeredDefaults.CONFIG_KEY));
    for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
      if (args[i].equals(CONFIG_OPTION) && i + 1 < args.length) {
        file = args[i + 1];
      } else if (args[i].startsWith(CONFIG_OPTION + "=")) {
        file = args[i].substring(CONFIG_OPTION.length() + 1);
      }
    }
    return file == null ? null : Path.of(file);
  }
}
