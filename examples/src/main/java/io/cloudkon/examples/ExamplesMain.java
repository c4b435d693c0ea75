package io.cloudkon.examples;

import io.cloudkon.core.cli.Cli;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.examples.demo.DemoCommand;
import io.cloudkon.examples.picture.JoinCommand;
import java.util.Arrays;

/** The examples' jar starts here, once the running Java was found new enough. */
public final class ExamplesMain {
  private ExamplesMain() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs the command that the first argument names. */
  static int run(String... args) {
    String command = args.length == 0 ? "" : args[0];
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    return switch (command) {
      case "demo" -> Cli.run(new DemoCommand(), rest);
      case "join" -> Cli.run(new JoinCommand(), rest);
      default -> {
        System.err.printf("cloudkon: unknown example '%s'; expected demo or join%n", command);
        yield ExitCodes.USAGE;
      }
    };
  }
}
