package io.cloudkon.client.session;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.lease.SeenLease;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds out whether a run's client lives: watches a lease that looks live until it is over, and
 * some more for clocks that differ. Who renews it meanwhile lives.
 */
final class LeaseWatch {
  private static final long LOOK_MILLIS = 500;

  /** What a watch found. */
  sealed interface Found {
    /** Nobody collects the run; it may be taken over as it stands. */
    record Free(RunEntry seen) implements Found {}

    /** Its client renewed its lease. */
    record Held(RunEntry by) implements Found {}

    /** It has ended, or is gone, or was settled by its client meanwhile. */
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

  /** Watches from how it was read first. */
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

  /** Its client said itself that it has it no more. */
  static boolean letGo(RunEntry run) {
    return run.lease().letGo();
  }
}
