package io.cloudkon.local;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The entry point of {@code cloudkon local}. The exit code is 0 for success, 2 for bad usage, and 3
 * if the emulator cannot be started, found or stopped. Failures are reported on standard error.
 */
public final class LocalMain {
  private LocalMain() {}

  /** Runs one command line and ends the JVM by {@link System#exit}. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    IParameterExceptionHandler badUsage =
        (e, args) -> {
          String what =
              e instanceof UnmatchedArgumentException unmatched
                  ? wrong(unmatched.getUnmatched().getFirst())
                  : e.getMessage();
          say(e.getCommandLine(), what + " (see cloudkon local --help)");
          return CommandLine.ExitCode.USAGE;
        };
    IExecutionExceptionHandler failed =
        (e, command, result) -> {
          if (!(e instanceof LocalException failure)) {
            throw e;
          }
          say(command, failure.getMessage());
          return 3;
        };
    return new CommandLine(new LocalCommand())
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .setUsageHelpWidth(80)
        .setParameterExceptionHandler(badUsage)
        .setExecutionExceptionHandler(failed);
  }

  private static String wrong(String argument) {
    return argument.startsWith("-")
        ? "unknown option '%s'".formatted(argument)
        : "unexpected argument '%s': expected status, stop or options".formatted(argument);
  }

  private static void say(CommandLine command, @Nullable String line) {
    command.getErr().println("cloudkon local: " + line);
  }
}
