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
 * @param threads the number of threads that send, and of threads that collect
 * @param bundler the settings of bundling
 * @param completeness the settings of waiting for results
 * @param lease the settings of the run's lease
 * @param claim the scope of one claim, if tasks are claimed
 * @param priorities the priority of each run's client in a fair cluster, in the order of the runs;
 *     empty in other clusters, where clients send everything at once
 */
public record ClientSetup(
    int threads,
    BundlerSettings bundler,
    CompletenessSettings completeness,
    LeaseSettings lease,
    ClaimScope claim,
    List<Priority> priorities) {
  /** How long a run without a known end stays open after its last task, in microseconds. */
  public static final long STAYS_OPEN = 120_000_000;

  /** The defaults. */
  public static final ClientSetup DEFAULT =
      new ClientSetup(
          2,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT,
          ClaimScope.BUNDLE);

  /** Settings for a cluster that is not fair. */
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

  /**
   * Settings for a fair cluster; each run's client has one of these priorities, in the order of the
   * runs.
   */
  public ClientSetup fair(Priority... each) {
    return new ClientSetup(threads, bundler, completeness, lease, claim, List.of(each));
  }

  /** Whether the cluster is fair. */
  public boolean fair() {
    return !priorities.isEmpty();
  }

  /** The share of the queue that the run's client may use; empty if the cluster is not fair. */
  Optional<FairShare> share(SimRun run) {
    return fair() ? Optional.of(new FairShare(priorities.get(run.index()))) : Optional.empty();
  }
}
