package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.error.UsageException;
import org.jspecify.annotations.Nullable;

/** The way in which commands are started, set by a system property of this process. */
final class LaunchChoice {
  /** {@code spawn} (default): without a shell in between, if the machine can; or {@code shell}. */
  private static final String PROPERTY = "cloudkon.launch";

  private static final String SPAWN = "spawn";
  private static final String SHELL = "shell";

  private LaunchChoice() {}

  /**
   * Whether commands are spawned if that is possible.
   *
   * @throws UsageException if the property has another value
   */
  static boolean spawns() {
    return spawns(System.getProperty(PROPERTY));
  }

  static boolean spawns(@Nullable String value) {
    return switch (value) {
      case null -> true;
      case SPAWN -> true;
      case SHELL -> false;
      default ->
          throw new UsageException("-D%s=%s: expected spawn or shell".formatted(PROPERTY, value));
    };
  }
}
