package io.cloudkon.core.port;

/**
 * The origin of a worker: its launch and the machine on which it runs. Immutable.
 *
 * @param launch the token of its launch; empty for a worker that was started manually
 * @param instance the EC2 instance, or the launcher's name for it; empty if neither is known
 * @param type the instance type, such as {@code c7i.large}; {@code process} for a process of the
 *     process launcher; empty if unknown
 * @param lifeCycle {@code on-demand} or {@code spot}; empty if unknown
 */
public record WorkerOrigin(String launch, String instance, String type, String lifeCycle) {
  /** A manually started worker, on a machine that is not known to be paid for by the hour. */
  public static final WorkerOrigin BY_HAND = new WorkerOrigin("", "", "", "");

  /** Whether a provisioner launched it. */
  public boolean launched() {
    return !launch.isEmpty();
  }
}
