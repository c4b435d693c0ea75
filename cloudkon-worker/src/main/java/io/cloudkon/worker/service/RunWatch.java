package io.cloudkon.worker.service;

import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Inbox;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Tells the bundles in hand when their runs are over: cancelled, ended or unknown. Thread safe. */
final class RunWatch {
  /**
   * The interval between two checks of every run in hand. A check costs no call while the last read
   * is fresh; together, both delays let a cancellation be noticed after at most 5 s.
   */
  static final long LOOK_NANOS = 500_000_000L;

  private final RunStates runs;
  private final CallMeter calls;
  private final Map<Long, BundleInHand> inHand;
  private final Inbox inbox;
  private final Executor io;
  private final Set<String> looking = ConcurrentHashMap.newKeySet();

  /**
   * Has checked nothing yet.
   *
   * @param calls forgets runs that are over
   * @param inHand all bundles, by key; only read here
   * @param io runs calls that may block
   */
  RunWatch(
      RunStates runs, CallMeter calls, Map<Long, BundleInHand> inHand, Inbox inbox, Executor io) {
    this.runs = runs;
    this.calls = calls;
    this.inHand = inHand;
    this.inbox = inbox;
    this.io = io;
  }

  /** Checks the runs of these bundles, once each; returns at once. */
  void look(Collection<BundleInHand> bundles) {
    bundles.stream().map(bundle -> bundle.header().run()).distinct().forEach(this::look);
  }

  private void look(String run) {
    // A slow read must not be joined by another one.
    if (looking.add(run)) {
      io.execute(() -> {
        try {
          if (!runs.open(run)) {
            closed(run);
          }
        } finally {
          looking.remove(run);
        }
      });
    }
  }

  /** Whether a run whose response queue is gone accepts results, by this queue or another one. */
  boolean stillOpen(BundleHeader header) {
    boolean open = runs.read(header.run(), true);
    if (!open) {
      closed(header.run());
    }
    return open;
  }

  private void closed(String run) {
    inHand.values().stream()
        .filter(bundle -> bundle.header().run().equals(run))
        .forEach(bundle -> inbox.post(bundle.key(), new BundleEvent.RunClosed()));
    calls.forget(run);
  }
}
