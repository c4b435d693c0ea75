package io.cloudkon.client.session;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Takes a run over from a client that is gone. */
public final class Takeover {
  /** The number of times that another client may be quicker before this one gives up. */
  private static final int TRIES = 3;

  private final Cluster cluster;
  private final LeaseSettings settings;
  private final TimeSource time;
  private final LeaseWatch watch;

  /**
   * A takeover that has read nothing yet.
   *
   * @param say receives a message about what is waited for
   */
  public Takeover(
      Cluster cluster, LeaseSettings settings, TimeSource time, Pause pause, Consumer<String> say) {
    this.cluster = cluster;
    this.settings = settings;
    this.time = time;
    this.watch = new LeaseWatch(cluster.runs(), settings, time, pause, say);
  }

  /**
   * A run that now belongs to this client.
   *
   * @param entry the entry as it was written
   * @param when the time when the write was sent
   * @param identity the ids of the run and of this client
   */
  public record Taken(RunEntry entry, Moment when, RunIdentity identity) {}

  /**
   * Takes a run over, to resume it or to settle it.
   *
   * @param header the header of the journal at hand
   * @param fresh this client's identity
   * @param results the path of its results
   * @throws UsageException if there is no such run, or it has ended, or the journal is of another
   *     submission
   * @throws CloudKonException if a live client collects it
   */
  public Taken take(RunHeader header, RunIdentity fresh, String results)
      throws InterruptedException {
    for (int i = 0; ; i++) {
      RunEntry first = open(cluster.runs().read(header.run()), header, results);
      RunEntry seen =
          switch (watch.watch(first)) {
            case LeaseWatch.Found.Free free -> free.seen();
            case LeaseWatch.Found.Held held -> throw held(held.by());
            case LeaseWatch.Found.Over over -> open(over.now(), header, results);
          };
      Optional<Taken> taken = take(seen, fresh);
      if (taken.isPresent()) {
        return taken.get();
      }
      if (i == TRIES) {
        throw held(open(cluster.runs().read(header.run()), header, results));
      }
    }
  }

  /** Takes a run over as it was seen; empty if its entry has changed since. */
  Optional<Taken> take(RunEntry seen, RunIdentity fresh) {
    RunIdentity mine =
        new RunIdentity(
            seen.run(), seen.epoch(), fresh.client(), fresh.host(), seen.responseQueue());
    Moment when = time.now();
    RunEntry next =
        seen.heldBy(
                mine.client(),
                mine.host(),
                seen.responseQueue(),
                when.leaseEnd(settings.lease()),
                when.earliest())
            .with(seen.remaining().counted(false));
    return cluster.runs().takeOver(next, seen)
        ? Optional.of(new Taken(next, when, mine))
        : Optional.empty();
  }

  private RunEntry open(Optional<RunEntry> found, RunHeader header, String results) {
    if (found.isEmpty()) {
      throw new UsageException(
          "cluster '%s' has no run '%s'; it was submitted to another cluster, or no client has held it for 15 days; if that cluster is gone, run the missing tasks again with: %s rerun %s --abandoned"
              .formatted(cluster.name(), header.run(), Launcher.name(), results));
    }
    RunEntry run = found.get();
    if (!run.epoch().equals(header.epoch())) {
      throw new UsageException(
          "the journal in %s belongs to another submission than run '%s' of cluster '%s'; name the run's folder with --out DIR"
              .formatted(results, run.run(), cluster.name()));
    }
    if (run.state() == RunEntry.State.ENDED) {
      // Its client may have died before it cleaned up.
      RunCleanup.queue(cluster.responses(), run.responseQueue());
      RunBlobs.remove(cluster.blobs(), run.run());
      throw new UsageException(
          "run '%s' has ended, there is nothing to resume; its results are in %s"
              .formatted(run.run(), results));
    }
    return run;
  }

  private CloudKonException held(RunEntry by) {
    long ago = Math.max(0, time.serviceMillis() - by.updatedMillis()) / 1000;
    return new CloudKonException(
        "run %s is collected by %s (client %s), which renewed its lease %d s ago; wait for it, or stop it and then resume"
            .formatted(by.run(), by.host(), by.holder(), ago));
  }
}
