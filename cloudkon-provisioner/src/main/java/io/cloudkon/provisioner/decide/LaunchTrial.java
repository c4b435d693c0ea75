package io.cloudkon.provisioner.decide;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Failure.Kind;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import java.util.function.BooleanSupplier;

/**
 * The trial of this provisioner's configuration by its own launches. It is passed with the first
 * launch that works; a provisioner that has passed it waits when its launches fail. Used by one
 * thread at a time.
 */
final class LaunchTrial {
  private final String launcher;
  private final BooleanSupplier valid;
  private boolean passed;

  /**
   * A trial without any launch yet.
   *
   * @param launcher the launcher's name
   * @param valid whether the lease is valid
   */
  LaunchTrial(String launcher, BooleanSupplier valid) {
    this.launcher = launcher;
    this.valid = valid;
  }

  /**
   * Judges the answer to a launch that this provisioner decided.
   *
   * @throws UsageException if launches can never work with this configuration, because its operator
   *     must act first
   */
  void judge(Launch answer) {
    passed |= !answer.instances().isEmpty();
    boolean hopeless =
        valid.getAsBoolean()
            && !passed
            && !answer.elsewhere()
            && !answer.failures().isEmpty()
            && answer.failures().stream().allMatch(failure -> failure.kind() == Kind.CONFIGURATION);
    if (hopeless) {
      Failure first = answer.failures().getFirst();
      throw new UsageException(
          "the %s launcher cannot launch as it is configured: %s: %s"
              .formatted(launcher, first.code(), first.message()));
    }
  }
}
