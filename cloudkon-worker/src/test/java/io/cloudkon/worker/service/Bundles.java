package io.cloudkon.worker.service;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;
import java.util.Map;

/** Runs and bundles of one task, for what needs no worker. */
final class Bundles {
  private Bundles() {}

  static String queue(String run) {
    return Names.response("Q", run);
  }

  /** The run begins. */
  static void open(Cluster cluster, String run) {
    cluster
        .runs()
        .create(
            new RunEntry(
                run,
                "e",
                RunEntry.State.OPEN,
                Consistency.EXACTLY_ONCE,
                queue(run),
                "test",
                "host",
                60_000,
                "",
                1,
                0,
                Map.of(),
                RemainingWork.UNKNOWN,
                1,
                1));
  }

  static Bundle bundle(String run, int sequence) {
    return of(run, sequence, Work.Noop.INSTANCE);
  }

  /** An HPC job whose ranks do nothing. */
  static Bundle job(String run, int sequence, int ranks) {
    return of(run, sequence, new Work.Hpc(ranks, false, Work.Noop.INSTANCE));
  }

  private static Bundle of(String run, int sequence, Work work) {
    BundleHeader header =
        new BundleHeader(
            run,
            "e",
            BundleIds.of(run, "e", sequence),
            queue(run),
            Consistency.EXACTLY_ONCE,
            1024,
            0,
            0,
            0);
    return new Bundle(header, List.of(new Task(0, "1", work, 0)));
  }

  static BundleInHand inHand(String run, int sequence, String handle) {
    return new BundleInHand(sequence, bundle(run, sequence), handle, 1, "nonce", 0, 0);
  }
}
