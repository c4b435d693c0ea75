package io.cloudkon.client.cli;

import io.cloudkon.core.cli.Cli;
import java.util.Arrays;

/** The client's jar starts here, once the running Java was found new enough. */
public final class ClientMain {
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
      case "setup" -> Cli.run(new SetupCommand(), rest);
      case "teardown" -> Cli.run(new TeardownCommand(), rest);
      case "cancel" -> Cli.run(new CancelCommand(), rest);
      case "status" -> Cli.run(new StatusCommand(), rest);
      case "explain" -> Cli.run(new ExplainCommand(), rest);
      case "plan" -> Cli.run(new PlanCommand(), rest);
      case "dead" -> Cli.run(new DeadCommand(), rest);
      default -> {
        System.err.printf(
            "cloudkon: unknown command '%s'; expected client, plan, setup, teardown, status,"
                + " explain, cancel or dead%n",
            command);
        yield 2;
      }
    };
  }
}
