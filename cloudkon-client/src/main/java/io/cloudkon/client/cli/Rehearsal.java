package io.cloudkon.client.cli;

import java.util.Arrays;
import java.util.List;

/**
 * Runs several commands in one JVM, so that the build can record all that they load for the AOT
 * cache. No command of the launcher.
 */
public final class Rehearsal {
  private static final String SEPARATOR = "--";

  private Rehearsal() {}

  /** Runs the commands, which {@code --} separates, until one fails; exits with its exit code. */
  public static void main(String[] args) {
    List<String> left = Arrays.asList(args);
    int code = 0;
    while (code == 0 && !left.isEmpty()) {
      int end = left.indexOf(SEPARATOR);
      List<String> command = end < 0 ? left : left.subList(0, end);
      left = end < 0 ? List.of() : left.subList(end + 1, left.size());
      code = ClientMain.run(command.toArray(String[]::new));
    }
    System.exit(code);
  }
}
