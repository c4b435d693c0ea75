package io.cloudkon.core.protocol.bundler;

/**
 * The limits of the next bundle; it ends at the first that is reached. Its first task always fits.
 *
 * @param tasks at most so many; 0 means: send nothing now, ask again when a result has come or a
 *     while has passed
 * @param bytes at most so large
 * @param micros at most so much work, as far as it is known
 */
public record BundlePlan(int tasks, int bytes, double micros) {
  /** Send nothing now. */
  public static final BundlePlan WAIT = new BundlePlan(0, 0, 0);

  /** Whether nothing is to be sent now. */
  public boolean waits() {
    return tasks == 0;
  }
}
