package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.Cli;

/** The worker's jar starts here, once the running Java was found new enough. */
public final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] args) {
    boolean named = args.length > 0 && args[0].equals("worker");
    String[] options = named ? java.util.Arrays.copyOfRange(args, 1, args.length) : args;
    System.exit(Cli.run(new WorkerCommand(), options));
  }
}
