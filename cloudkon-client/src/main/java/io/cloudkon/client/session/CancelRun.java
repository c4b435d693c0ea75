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
 * Otherwise the run's results are completed, if its folder is here. Else the run's queues and
 * objects are removed, unless uncollected results wait there. Those are left to a resume, which
 * settles the run.
 */
public final class CancelRun {
  private static final int TRIES = 3;

  /** Completes the results in the folder of a cancelled run that no client collects. */
  @FunctionalInterface
  public interface Completion {
    /** For a run whose folder is elsewhere. */
    Completion NONE = cancelled -> Optional.empty();

    /**
     * Collects the results that are waiting, reports all other tasks as CANCELLED, and removes the
     * run's queue.
     *
     * @return where the results are complete, as a clause; empty if that cannot be done, which has
     *     been explained
     */
    Optional<String> complete(RunEntry cancelled) throws InterruptedException;
  }

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
  private boolean tried;

  /**
   * A cancellation that has done nothing yet.
   *
   * @param me the identity whose client id is written if the run has no client
   * @param say receives a message about what is waited for
   * @param discard whether to discard uncollected results as well
   * @param resume the command that resumes the run; empty if it cannot be resumed
   * @param completion completes the results of a run that no client collects
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
   * Cancels the run, and returns what was done, in one line.
   *
   * @throws UsageException if there is no such run, or it has ended
   */
  public String cancel() throws InterruptedException {
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
    String done = settle(after.get());
    return "run %s %s; %s".formatted(run, again ? "was cancelled before" : "is cancelled", done);
  }

  private String settle(RunEntry cancelled) throws InterruptedException {
    LeaseWatch watch = new LeaseWatch(cluster.runs(), settings, time, pause, say);
    Takeover takeover = new Takeover(cluster, settings, time, pause, say);
    RunEntry seen = cancelled;
    for (int i = 0; i < TRIES; i++) {
      switch (watch.watch(seen)) {
        case LeaseWatch.Found.Held held -> {
          return "its client (%s) settles it".formatted(held.by().host());
        }
        case LeaseWatch.Found.Over over -> {
          return "it is gone";
        }
        case LeaseWatch.Found.Free free -> {
          RunEntry now = free.seen();
          boolean byClient =
              now.updatedMillis() > cancelled.updatedMillis() && LeaseWatch.letGo(now);
          Optional<String> completed = byClient || discard ? Optional.empty() : complete(now);
          if (completed.isPresent()) {
            return completed.get();
          }
          if (!discard && resultsWait(now)) {
            return waiting(now.responseQueue());
          }
          Optional<Takeover.Taken> taken = takeover.take(now, me);
          if (taken.isPresent()) {
            clear(taken.get().entry());
            if (byClient) {
              return "its client has settled it";
            }
            String removed =
                "no client collects it, and its response queue and its objects in the blob store"
                    + " are removed";
            return complete(now).map(done -> removed + "; " + done).orElse(removed);
          }
        }
      }
      Optional<RunEntry> changed = cluster.runs().read(me.run());
      if (changed.isEmpty()) {
        return "it is gone";
      }
      seen = changed.get();
    }
    return "%s (client %s) holds it and settles it".formatted(seen.host(), seen.holder());
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

  /** Completes the results, once; empty if that cannot be done. */
  private Optional<String> complete(RunEntry now) throws InterruptedException {
    if (tried) {
      return Optional.empty();
    }
    tried = true;
    Optional<String> completed = completion.complete(now);
    if (completed.isPresent()) {
      clearStore();
    }
    return completed;
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
    clearStore();
    long now = time.serviceMillis();
    RunEntry settled =
        mine.with(RunEntry.State.CANCELLED, now, mine.tasks(), mine.sent(), mine.counts(), now);
    var unused = cluster.runs().update(settled);
  }

  /** Removes the run's objects, and those that workers store until they notice. */
  private void clearStore() throws InterruptedException {
    RunBlobs.remove(cluster.blobs(), me.run());
    if (storesMayCome()) {
      say.accept(
          "waiting %d s for the workers to notice, so that no object of run %s remains in the blob store"
              .formatted(RunCleanup.NOTICE_MILLIS / 1000, me.run()));
      pause.millis(RunCleanup.NOTICE_MILLIS);
      RunBlobs.remove(cluster.blobs(), me.run());
    }
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
