package io.cloudkon.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The mount namespace that the launcher gives a worker that runs as root. Without it, a worker
 * copies shipped files instead of mounting them.
 */
final class MountNamespace {
  private static final List<String> COMMAND =
      List.of("unshare", "--mount", "--propagation", "slave");
  private static final String OWN = "-Dcloudkon.mounts.own=true";
  private static final long TRIAL_SECONDS = 10;
  private static final boolean POSSIBLE = works();

  private MountNamespace() {}

  /** The command that becomes a program in such a namespace; empty if it is not possible here. */
  static List<String> command() {
    return POSSIBLE ? COMMAND : List.of();
  }

  /** The JVM options by which the program knows. */
  static List<String> jvmOptions() {
    return POSSIBLE ? List.of(OWN) : List.of();
  }

  private static boolean works() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return false;
    }
    List<String> trial = new ArrayList<>(COMMAND);
    trial.add("true");
    try {
      Process process =
          new ProcessBuilder(trial)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = process.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0;
    } catch (IOException e) {
      return false; // no Linux
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
