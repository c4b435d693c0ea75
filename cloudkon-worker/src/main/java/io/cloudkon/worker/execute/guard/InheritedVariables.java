package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.error.UsageException;
import java.util.Map;
import java.util.Set;

/**
 * Which of the worker's variables its commands inherit. Every {@code AWS_*} variable may hold
 * credentials or lead to some, in versions of the SDKs to come as well, so all of them are withheld
 * from the tasks of a cluster, but for a few that are known to hold none. Immutable.
 *
 * @param whole whether all variables pass, as under {@code -s LOCAL}
 * @param passed names that pass whatever they hold ({@code --env-pass})
 */
public record InheritedVariables(boolean whole, Set<String> passed) {
  private static final String AWS = "AWS_";

  /** The region, and what keeps a program from asking the instance for its role. */
  private static final Set<String> HARMLESS =
      Set.of("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_EC2_METADATA_DISABLED");

  /** Where services are: without it, a program meant for an emulator would go to AWS. */
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";

  /** Everything that the worker has. */
  public static final InheritedVariables WHOLE = new InheritedVariables(true, Set.of());

  /**
   * Checks the names.
   *
   * @throws UsageException if one of them can be no variable's
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

  /** Everything but credentials, and but what leads to them; these names pass all the same. */
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

  /** Removes what is withheld. */
  void strip(Map<String, String> environment) {
    environment.keySet().removeIf(name -> !passes(name));
  }
}
