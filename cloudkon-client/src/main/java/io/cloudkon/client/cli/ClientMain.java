package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.config.Nearest;
import java.util.Arrays;
import java.util.List;

/** The client's jar starts here, once the running Java was found new enough. */
public final class ClientMain {
  /** Of all jars: which of them somebody means cannot be known. */
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
    System.exit(run(args));
  }

  /**
   * The command may be left out where an option comes first: {@code java -jar cloudkon-client.jar
   * -s Q …}.
   */
  static int run(String... args) {
    String command = args.length == 0 || args[0].startsWith("-") ? "client" : args[0];
    boolean named = args.length > 0 && args[0].equals(command);
    String[] rest = named ? Arrays.copyOfRange(args, 1, args.length) : args;
    return switch (command) {
      case "client" -> Cli.run(new ClientCommand(), rest);
      case "run" -> RunCommand.run(rest);
      case "results" -> Cli.run(new ResultsCommand(), rest);
      case "cat" -> Cli.run(new CatCommand(), rest);
      case "rerun" -> Cli.run(new RerunCommand(), rest);
      case "runs" -> Cli.run(new RunsCommand(), rest);
      case "wait" -> Cli.run(new WaitCommand(), rest);
      case "setup" -> Cli.run(new SetupCommand(), rest);
      case "teardown" -> Cli.run(new TeardownCommand(), rest);
      case "cancel" -> Cli.run(new CancelCommand(), rest);
      case "status" -> Cli.run(new StatusCommand(), rest);
      case "explain" -> Cli.run(new ExplainCommand(), rest);
      case "plan" -> Cli.run(new PlanCommand(), rest);
      case "dead" -> Cli.run(new DeadCommand(), rest);
      default -> {
        System.err.printf(
            "cloudkon: there is no command '%s'%s%n",
            Printable.line(command),
            Nearest.to(command, COMMANDS)
                .map("; did you mean '%s'?"::formatted)
                .orElse("; expected one of " + String.join(", ", COMMANDS)));
        yield ExitCodes.USAGE;
      }
    };
  }
}
