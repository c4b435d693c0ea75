package io.cloudkon.provisioner.cli;

import io.cloudkon.core.cli.Cli;
import java.util.Arrays;

/** The entry point of the provisioner's jar, after the Java version was checked. */
public final class ProvisionerMain {
  private ProvisionerMain() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs the command, whose name may be omitted, and returns the exit code of the process. */
  public static int run(String... args) {
    boolean named = args.length > 0 && args[0].equals("provisioner");
    return Cli.run(
        new ProvisionerCommand(), named ? Arrays.copyOfRange(args, 1, args.length) : args);
  }
}
