package io.cloudkon.client.session;

import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cancels a run. If its client is alive, that client settles the run: every task gets a result.
 * Otherwise the run's queues and objects are removed here, unless uncollected results wait there.
 * Those are left to a resume, which settles the run: by the caller if the run's folder is here.
 */
public final class CancelRun {
  private static final int TRIES = 3;

  /** Who completes the results in the folder of a run without a client. */
  public enum Completion {
    /** Nobody, because the folder is not here. */
    NOBODY,
    /** The user, by a resume. */
    USER,
    /**
     * The caller, by a resume that follows at once and that removes the run's queue and objects.
     */
    CALLER
  }

  /**
   * A cancelled run.
   *
   * @param line what was done
   * @param unsettled whether no client has settled it or will, so that its folder lacks results
   */
  public record Cancelled(String line, boolean unsettled) {}

  /**
   * The wait and the visibility of a receive. A receive that waits asks every server of the queue,
   * and what it finds soon becomes visible again.
   */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final LeaseSettings settings;
  private final RunIdentity me;
  private final TimeSource time;
  private final Pause pause;
  private final Consumer<String> say;
  private final boolean discard;
  private final Optional<String> resume;
  private final Completion completion;

  /**
   * A cancellation that has done nothing yet.
   *
   * @param me the identity whose client id is written if the run has no client
   * @param say receives a message about what is waited for
   * @param discard whether to discard uncollected results as well
   * @param resume the command that resumes the run; empty if it cannot be resumed
   * @param completion who completes the results of a run without a client
   */
  public CancelRun(
      Cluster cluster,
      LeaseSettings settings,
      RunIdentity me,
      TimeSource time,
      Pause pause,
      Consumer<String> say,
      boolean discard,
      Optional<String> resume,
      Completion completion) {
    this.cluster = cluster;
    this.settings = settings;
    this.me = me;
    this.time = time;
    this.pause = pause;
    this.say = say;
    this.discard = discard;
    this.resume = resume;
    this.completion = completion;
  }

  /**
   * Cancels the run.
   *
   * @throws UsageException if there is no such run, or it has ended
   */
  public Cancelled cancel() throws InterruptedException {
    String run = me.run();
    Optional<RunEntry> before = cluster.runs().read(run);
    Optional<RunEntry> after =
        before.isEmpty() ? before : cluster.runs().cancel(run, time.serviceMillis());
    if (before.isEmpty() || after.isEmpty()) {
      throw new UsageException(
          "cluster '%s' has no run '%s'; see its runs with: %s status -s %s"
              .formatted(cluster.name(), run, Launcher.name(), cluster.name()));
    }
    if (after.get().state() == RunEntry.State.ENDED) {
      throw new UsageException("run '%s' has ended; there is nothing to cancel".formatted(run));
    }
    boolean again = before.get().state() == RunEntry.State.CANCELLED;
    Cancelled done = settle(after.get());
    return new Cancelled(
        "run %s %s; %s"
            .formatted(run, again ? "was cancelled before" : "is cancelled", done.line()),
        done.unsettled());
  }

  private Cancelled settle(RunEntry cancelled) throws InterruptedException {
    LeaseWatch watch = new LeaseWatch(cluster.runs(), settings, time, pause, say);
    Takeover takeover = new Takeover(cluster, settings, time, pause, say);
    RunEntry seen = cancelled;
    for (int i = 0; i < TRIES; i++) {
      switch (watch.watch(seen)) {
        case LeaseWatch.Found.Held held -> {
          return settled("its client (%s) settles it".formatted(held.by().host()));
        }
        case LeaseWatch.Found.Over over -> {
          return settled("it is gone");
        }
        case LeaseWatch.Found.Free free -> {
          RunEntry now = free.seen();
          boolean byClient =
              now.updatedMillis() > cancelled.updatedMillis() && LeaseWatch.letGo(now);
          if (!discard && !byClient && completion == Completion.CALLER) {
            return new Cancelled("no client collects it", true);
          }
          if (!discard && resultsWait(now)) {
            return new Cancelled(waiting(now.responseQueue()), true);
          }
          Optional<Takeover.Taken> taken = takeover.take(now, me);
          if (taken.isPresent()) {
            clear(taken.get().entry());
            return byClient
                ? settled("its client has settled it")
                : new Cancelled(
                    "no client collects it, and its response queue and its objects in the blob"
                        + " store are removed"
                        + byUser(),
                    true);
          }
        }
      }
      Optional<RunEntry> changed = cluster.runs().read(me.run());
      if (changed.isEmpty()) {
        return settled("it is gone");
      }
      seen = changed.get();
    }
    return settled("%s (client %s) holds it and settles it".formatted(seen.host(), seen.holder()));
  }

  private String waiting(String queue) {
    return "results of finished tasks are waiting in queue %s; %sdiscard them with: %s cancel -s %s %s --discard"
        .formatted(
            queue,
            resume.map(command -> "collect them with: " + command + ", or ").orElse(""),
            Launcher.name(),
            cluster.name(),
            me.run());
  }

  private static Cancelled settled(String line) {
    return new Cancelled(line, false);
  }

  /** The end of the message on how the folder learns of the cancellation. */
  private String byUser() {
    return completion == Completion.USER
        ? resume.map(command -> "; to complete its results: " + command).orElse("")
        : "";
  }

  /** Whether removing the queue would discard finished work. */
  private boolean resultsWait(RunEntry run) throws InterruptedException {
    try {
      return !cluster.responses().receive(run.responseQueue(), 1, LOOK, LOOK).isEmpty();
    } catch (MissingResourceException e) {
      return false;
    }
  }

  private void clear(RunEntry mine) throws InterruptedException {
    RunCleanup.queue(cluster.responses(), mine.responseQueue());
    RunBlobs.remove(cluster.blobs(), mine.run());
    if (storesMayCome()) {
      say.accept(
          "waiting %d s for the workers to notice, so that no object of run %s remains in the blob store"
              .formatted(RunCleanup.NOTICE_MILLIS / 1000, mine.run()));
      pause.millis(RunCleanup.NOTICE_MILLIS);
      RunBlobs.remove(cluster.blobs(), mine.run());
    }
    long now = time.serviceMillis();
    RunEntry settled =
        mine.with(RunEntry.State.CANCELLED, now, mine.tasks(), mine.sent(), mine.counts(), now);
    var unused = cluster.runs().update(settled);
  }

  /** Whether there is a blob store, and a worker that might still store something there. */
  private boolean storesMayCome() {
    try {
      var unused = cluster.blobs().list(BlobKeys.run(me.run()));
    } catch (CloudKonException e) {
      return false;
    }
    long now = time.serviceMillis();
    try {
      return cluster.workers().list().stream().anyMatch((WorkerEntry w) -> w.livesAt(now));
    } catch (CloudKonException e) {
      return true;
    }
  }
}
