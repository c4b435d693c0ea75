package io.cloudkon.simulator.client;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.simulator.load.SimRun;
import java.util.List;
import java.util.Optional;

/**
 * The settings that all clients share.
 *
 * @param threads that send, and as many that collect
 * @param bundler how large bundles are
 * @param completeness when it stops to wait quietly
 * @param lease of the run
 * @param claim what one claim guards, where there are claims
 * @param priorities of each run's client in a fair cluster, in the order of the runs; empty
 *     elsewhere, where clients send everything at once
 */
public record ClientSetup(
    int threads,
    BundlerSettings bundler,
    CompletenessSettings completeness,
    LeaseSettings lease,
    ClaimScope claim,
    List<Priority> priorities) {
  /** The defaults. */
  public static final ClientSetup DEFAULT =
      new ClientSetup(
          2,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT,
          ClaimScope.BUNDLE);

  /** In a cluster that is not fair. */
  public ClientSetup(
      int threads,
      BundlerSettings bundler,
      CompletenessSettings completeness,
      LeaseSettings lease,
      ClaimScope claim) {
    this(threads, bundler, completeness, lease, claim, List.of());
  }

  public ClientSetup {
    priorities = List.copyOf(priorities);
  }

  public ClientSetup withThreads(int count) {
    return new ClientSetup(count, bundler, completeness, lease, claim, priorities);
  }

  public ClientSetup with(BundlerSettings other) {
    return new ClientSetup(threads, other, completeness, lease, claim, priorities);
  }

  public ClientSetup with(CompletenessSettings other) {
    return new ClientSetup(threads, bundler, other, lease, claim, priorities);
  }

  public ClientSetup with(ClaimScope other) {
    return new ClientSetup(threads, bundler, completeness, lease, other, priorities);
  }

  /** In a fair cluster, where each run's client has one of these, in the order of the runs. */
  public ClientSetup fair(Priority... each) {
    return new ClientSetup(threads, bundler, completeness, lease, claim, List.of(each));
  }

  /** Whether the cluster is fair. */
  public boolean fair() {
    return !priorities.isEmpty();
  }

  /** What the client of that run may keep in the queue; empty where the cluster is not fair. */
  Optional<FairShare> share(SimRun run) {
    return fair() ? Optional.of(new FairShare(priorities.get(run.index()))) : Optional.empty();
  }
}
