package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.error.UsageException;
import java.util.Map;
import java.util.Set;

/**
 * The worker's variables that its commands inherit. Every {@code AWS_*} variable may hold
 * credentials or lead to some, also in future versions of the SDKs. So all of them are withheld
 * from the tasks of a cluster, except for a few that are known to hold none. Immutable.
 *
 * @param whole whether all variables pass, as under {@code -s LOCAL}
 * @param passed names of variables that always pass ({@code --env-pass})
 */
public record InheritedVariables(boolean whole, Set<String> passed) {
  private static final String AWS = "AWS_";

  /** The region, and the variable that keeps a program from asking the instance for its role. */
  private static final Set<String> HARMLESS =
      Set.of("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_EC2_METADATA_DISABLED");

  /** The address of services: without it, a program meant for an emulator would go to AWS. */
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";

  /** All variables of the worker. */
  public static final InheritedVariables WHOLE = new InheritedVariables(true, Set.of());

  /**
   * Checks the names.
   *
   * @throws UsageException if one of them cannot be the name of a variable
   */
  public InheritedVariables {
    passed = Set.copyOf(passed);
    for (String name : passed) {
      if (name.isBlank() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
        throw new UsageException(
            "--env-pass '%s': expected the name of a variable, as AWS_PROFILE".formatted(name));
      }
    }
  }

  /** All variables except those that hold credentials or lead to some; these names always pass. */
  public static InheritedVariables withoutCredentials(Set<String> passed) {
    return new InheritedVariables(false, passed);
  }

  /** Whether a variable of this name reaches commands. */
  public boolean passes(String name) {
    return whole
        || !name.startsWith(AWS)
        || HARMLESS.contains(name)
        || name.equals(ENDPOINT)
        || name.startsWith(ENDPOINT + '_')
        || passed.contains(name);
  }

  /** Removes the variables that are withheld. */
  void strip(Map<String, String> environment) {
    environment.keySet().removeIf(name -> !passes(name));
  }
}
