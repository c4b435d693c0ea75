package io.cloudkon.core.port;

/**
 * The origin of a worker: who launched it, and on what it runs. Immutable.
 *
 * @param launch the token of the launch that made it; empty for one that was started by hand
 * @param instance the EC2 instance, or what the launcher calls it; empty if neither is known
 * @param type the instance type, such as {@code c7i.large}; {@code process} for a process of the
 *     process launcher; empty if unknown
 * @param lifeCycle {@code on-demand} or {@code spot}; empty if unknown
 */
public record WorkerOrigin(String launch, String instance, String type, String lifeCycle) {
  /** Started by hand, on a machine that nobody pays by the hour as far as is known. */
  public static final WorkerOrigin BY_HAND = new WorkerOrigin("", "", "", "");

  /** Whether a provisioner launched it. */
  public boolean launched() {
    return !launch.isEmpty();
  }
}
