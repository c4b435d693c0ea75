package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.error.UsageException;

/** How commands are to be started, by a system property of this process. */
final class LaunchChoice {
  /** {@code spawn} (default): without a shell between, where the machine can; {@code shell}. */
  static final String PROPERTY = "cloudkon.launch";

  private static final String SPAWN = "spawn";
  private static final String SHELL = "shell";

  private LaunchChoice() {}

  /**
   * Whether commands are spawned where that is possible.
   *
   * @throws UsageException if the property has another value
   */
  static boolean spawns() {
    String value = System.getProperty(PROPERTY, SPAWN);
    return switch (value) {
      case SPAWN -> true;
      case SHELL -> false;
      default ->
          throw new UsageException(
              "-D%s=%s: expected spawn or shell".formatted(PROPERTY, value));
    };
  }
}
