package io.cloudkon.client.session;

import io.cloudkon.client.run.Pause;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.SeenLease;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds out whether a run's client is alive: watches a valid lease until it has expired, plus a
 * margin for differing clocks. A client that renews it meanwhile is alive.
 */
final class LeaseWatch {
  private static final long LOOK_MILLIS = 500;

  /** The outcome of a watch. */
  sealed interface Found {
    /** No client collects the run; it may be taken over in this state. */
    record Free(RunEntry seen) implements Found {}

    /** Its client renewed its lease. */
    record Held(RunEntry by) implements Found {}

    /** The run has ended or is gone. */
    record Over(Optional<RunEntry> now) implements Found {}
  }

  private final RunStore runs;
  private final LeaseSettings settings;
  private final TimeSource time;
  private final Pause pause;
  private final Consumer<String> say;

  LeaseWatch(
      RunStore runs, LeaseSettings settings, TimeSource time, Pause pause, Consumer<String> say) {
    this.runs = runs;
    this.settings = settings;
    this.time = time;
    this.pause = pause;
    this.say = say;
  }

  /** Watches a run from its entry as first read. */
  Found watch(RunEntry first) throws InterruptedException {
    RunEntry seen = first;
    SeenLease lease = first.lease();
    long wait = lease.left(time.now(), settings);
    if (wait > 0 && !letGo(first)) {
      say.accept(
          "run %s may still be collected by %s (client %s); waiting up to %d s for its lease to end"
              .formatted(first.run(), first.host(), first.holder(), (wait + 999) / 1000));
    }
    long end = time.now().mono() + wait;
    while (!letGo(seen) && time.now().mono() < end) {
      pause.millis(Math.min(LOOK_MILLIS, Math.max(1, end - time.now().mono())));
      Optional<RunEntry> now;
      try {
        now = runs.read(first.run());
      } catch (TransientServiceException e) {
        continue; // the next look will tell
      }
      if (now.isEmpty() || now.get().state() == RunEntry.State.ENDED) {
        return new Found.Over(now);
      }
      seen = now.get();
      if (seen.lease().renewedSince(lease) && !letGo(seen)) {
        return new Found.Held(seen);
      }
    }
    return new Found.Free(seen);
  }

  /** Whether its client has released it. */
  static boolean letGo(RunEntry run) {
    return run.lease().letGo();
  }
}
