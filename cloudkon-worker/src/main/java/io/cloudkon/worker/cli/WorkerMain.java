package io.cloudkon.worker.cli;

import io.cloudkon.core.cli.Cli;
import java.util.Arrays;

/** The entry point of the worker's jar, after the check of the Java version. */
public final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs the command, whose name may be left out. Returns the process's exit code. */
  public static int run(String... args) {
    boolean named = args.length > 0 && args[0].equals("worker");
    return Cli.run(new WorkerCommand(), named ? Arrays.copyOfRange(args, 1, args.length) : args);
  }
}
