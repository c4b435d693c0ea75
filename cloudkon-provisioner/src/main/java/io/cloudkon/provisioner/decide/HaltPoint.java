package io.cloudkon.provisioner.decide;

import io.cloudkon.core.config.Labels;
import io.cloudkon.core.error.UsageException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A step between two effects of a decision, at which a provisioner may be made to die as by
 * SIGKILL; for tests. Switched on by the system property {@value #PROPERTY} or the environment
 * variable {@value #VARIABLE}: {@code after-intent}. Off by default.
 */
public enum HaltPoint {
  /** It has decided; nobody knows. */
  BEFORE_INTENT,
  /** The decision is written; the launcher was not called. */
  AFTER_INTENT,
  /** The launcher has answered; nobody knows what. */
  AFTER_CALL,
  /** All of it is written. */
  AFTER_RECORD;

  /** The environment variable. */
  public static final String VARIABLE = "CLOUDKON_FAULT_HALT";

  /** The system property; wins over the variable. */
  public static final String PROPERTY = "cloudkon.fault.halt";

  /** As if by SIGKILL. */
  private static final int KILLED = 137;

  /** Told of each step that is reached. */
  @FunctionalInterface
  public interface Reached {
    /** Steps are no more than steps. */
    Reached IGNORED = point -> {};

    void reached(HaltPoint point);
  }

  /**
   * Ends this process at the step that property or variable name; does nothing without them.
   *
   * @throws UsageException if they name none
   */
  public static Reached fromEnvironment() {
    String named = System.getProperty(PROPERTY, System.getenv().getOrDefault(VARIABLE, ""));
    if (named.isBlank()) {
      return Reached.IGNORED;
    }
    HaltPoint last =
        Arrays.stream(values())
            .filter(point -> Labels.of(point).equals(named.strip()))
            .findFirst()
            .orElseThrow(() ->
                new UsageException(
                    "%s '%s': expected one of %s"
                        .formatted(
                            VARIABLE,
                            named,
                            Arrays.stream(values())
                                .map(Labels::of)
                                .collect(Collectors.joining(", ")))));
    return point -> {
      if (point == last) {
        Runtime.getRuntime().halt(KILLED);
      }
    };
  }
}
