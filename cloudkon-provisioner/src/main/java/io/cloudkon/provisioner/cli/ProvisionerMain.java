package io.cloudkon.provisioner.cli;

import io.cloudkon.core.cli.Cli;
import java.util.Arrays;

/** The provisioner's jar starts here, once the running Java was found new enough. */
public final class ProvisionerMain {
  private ProvisionerMain() {}

  public static void main(String[] args) {
    boolean named = args.length > 0 && args[0].equals("provisioner");
    String[] options = named ? Arrays.copyOfRange(args, 1, args.length) : args;
    System.exit(Cli.run(new ProvisionerCommand(), options));
  }
}
