package io.cloudkon.simulator.client;

import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;

/**
 * What clients have in common.
 *
 * @param threads that send, and as many that collect
 * @param bundler how large bundles are
 * @param completeness when it stops to wait quietly
 * @param lease of the run
 * @param claimPerTask whether each task has a claim of its own
 */
public record ClientSetup(
    int threads,
    BundlerSettings bundler,
    CompletenessSettings completeness,
    LeaseSettings lease,
    boolean claimPerTask) {
  /** The defaults. */
  public static final ClientSetup DEFAULT =
      new ClientSetup(
          2, BundlerSettings.DEFAULT, CompletenessSettings.DEFAULT, LeaseSettings.DEFAULT, false);

  public ClientSetup withThreads(int count) {
    return new ClientSetup(count, bundler, completeness, lease, claimPerTask);
  }

  public ClientSetup with(BundlerSettings other) {
    return new ClientSetup(threads, other, completeness, lease, claimPerTask);
  }

  public ClientSetup with(CompletenessSettings other) {
    return new ClientSetup(threads, bundler, other, lease, claimPerTask);
  }

  public ClientSetup withClaimPerTask() {
    return new ClientSetup(threads, bundler, completeness, lease, true);
  }
}
