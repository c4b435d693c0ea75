package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.cli.ProgramExit;
import io.cloudkon.core.config.Nearest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entry point of the client's jar, after the check that Java is new enough. */
public final class ClientMain {
  /** The commands of all jars, for suggesting the nearest one. */
  private static final List<String> COMMANDS =
      List.of(
          "run",
          "client",
          "results",
          "cat",
          "rerun",
          "runs",
          "wait",
          "plan",
          "worker",
          "provisioner",
          "setup",
          "teardown",
          "status",
          "explain",
          "cancel",
          "dead",
          "local",
          "demo",
          "bench");

  private ClientMain() {}

  public static void main(String[] args) {
    ProgramExit.exit(run(args));
  }

  /** The commands of all jars, as the launcher knows them. */
  public static List<String> commands() {
    return COMMANDS;
  }

  /**
   * Runs a command. Without a command's name, if an option comes first, this is {@code client}:
   * {@code java -jar cloudkon-client.jar -s Q …}.
   *
   * @return the process's exit code
   */
  public static int run(String... args) {
    CommandStart.isNow();
    String name = args.length == 0 || args[0].startsWith("-") ? "client" : args[0];
    boolean named = args.length > 0 && args[0].equals(name);
    String[] rest = named ? Arrays.copyOfRange(args, 1, args.length) : args;
    @Nullable Object command = command(name);
    if (command == null) {
      System.err.printf(
          "cloudkon: there is no command '%s'%s%n",
          Printable.line(name),
          CommandsOfOtherTools.instead(name)
              .map("; "::concat)
              .orElseGet(() -> Nearest.hintOrAll(name, COMMANDS)));
      return ExitCodes.USAGE;
    }
    return command instanceof RunCommand ? RunCommand.run(rest) : Cli.run(command, rest);
  }

  /** A command of this jar, for running or describing it; null if the jar has no such command. */
  public static @Nullable Object command(String name) {
    return switch (name) {
      case "client" -> new ClientCommand();
      case "run" -> new RunCommand();
      case "results" -> new ResultsCommand();
      case "cat" -> new CatCommand();
      case "rerun" -> new RerunCommand();
      case "runs" -> new RunsCommand();
      case "wait" -> new WaitCommand();
      case "setup" -> new SetupCommand();
      case "teardown" -> new TeardownCommand();
      case "cancel" -> new CancelCommand();
      case "status" -> new StatusCommand();
      case "explain" -> new ExplainCommand();
      case "plan" -> new PlanCommand();
      case "dead" -> new DeadCommand();
      default -> null;
    };
  }
}
