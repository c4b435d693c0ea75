package io.cloudkon.client.session;

import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.ResponseQueues;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
    /**
     * Collects the results that are waiting, reports all other tasks as CANCELLED, and removes the
     * run's queue. Explains a failure.
     */
    Completed complete(RunEntry cancelled) throws InterruptedException;
  }

  /** The state of the results in a run's folder. */
  public enum Completed {
    /** The folder is not here, or cannot be completed without the user. */
    ELSEWHERE,
    /** They were complete before. */
    BEFORE,
    /** They are complete now, and the run's queue is removed. */
    NOW,
    /** They could not be completed; a resume may do it later. */
    FAILED
  }

  /**
   * The outcome of a cancellation.
   *
   * @param line what was done
   * @param complete whether the results in the run's folder here are complete
   * @param waiting whether results that nobody has collected were left for somebody to collect
   * @param failed whether the results in the folder could not be completed
   */
  public record Cancelled(String line, boolean complete, boolean waiting, boolean failed) {}

  /**
   * The wait and the visibility of a receive. A receive that waits asks every server of the queue,
   * and what it finds soon becomes visible again.
   */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** The wait before a missing queue is looked for again. */
  private static final long AGAIN_MILLIS = 500;

  private final Cluster cluster;
  private final LeaseSettings settings;
  private final RunIdentity me;
  private final TimeSource time;
  private final Pause pause;
  private final Consumer<String> say;
  private final boolean discard;
  private final Optional<String> resume;
  private final Completion completion;
  private final CancelledObjects objects;
  private @Nullable Completed completed;
  private boolean waiting;

  /** When the run was cancelled at the latest; monotonic clock. */
  private long cancelledAt;

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
    this.objects = new CancelledObjects(cluster, me.run(), time, pause, say);
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
    cancelledAt = time.now().mono();
    if (after.get().state() == RunEntry.State.ENDED) {
      throw new UsageException("run '%s' has ended; there is nothing to cancel".formatted(run));
    }
    boolean again = before.get().state() == RunEntry.State.CANCELLED;
    try {
      String done = settle(after.get());
      return new Cancelled(
          "run %s %s; %s".formatted(run, again ? "was cancelled before" : "is cancelled", done),
          isComplete(),
          waiting,
          completed == Completed.FAILED);
    } catch (CloudKonException e) {
      say.accept("run %s is cancelled, but what follows has failed".formatted(run));
      throw e;
    }
  }

  private String settle(RunEntry cancelled) throws InterruptedException {
    LeaseWatch watch = new LeaseWatch(cluster.runs(), settings, time, pause, say);
    RunEntry seen = cancelled;
    for (int i = 0; i < TRIES; i++) {
      switch (watch.watch(seen)) {
        case LeaseWatch.Found.Held held -> {
          RunEntry by = held.by();
          return by.holder().equals(cancelled.holder())
              ? "its client (%s) settles it".formatted(by.host())
              : "%s (client %s) has taken it over".formatted(by.host(), by.holder());
        }
        case LeaseWatch.Found.Over over -> {
          return "it is gone";
        }
        case LeaseWatch.Found.Free free -> {
          Optional<String> done = settleFree(free.seen());
          if (done.isPresent()) {
            return done.get();
          }
        }
      }
      Optional<RunEntry> changed = cluster.runs().read(me.run());
      if (changed.isEmpty()) {
        return "it is gone";
      }
      seen = changed.get();
    }
    return "%s (client %s) has taken it over".formatted(seen.host(), seen.holder());
  }

  /** Settles a run that no client holds; empty if its entry has changed since. */
  private Optional<String> settleFree(RunEntry now) throws InterruptedException {
    if (!discard) {
      complete(now);
      if (completed == Completed.NOW) {
        objects.remove(cancelledAt);
        return Optional.of("its results are complete");
      }
      if (completed == Completed.FAILED) {
        return Optional.of(
            "its queue %s and its objects in the blob store stay until its results are completed, or discarded with: %s"
                .formatted(now.responseQueue(), discardCommand()));
      }
      if (completed == Completed.ELSEWHERE
          && (resultsQueued(now.responseQueue()) || objects.holdResults())) {
        waiting = true;
        return Optional.of(waiting(now.responseQueue()));
      }
    }
    Optional<Takeover.Taken> taken =
        new Takeover(cluster, settings, time, pause, say).take(now, me);
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    boolean settled = now.tasks() > 0 && now.unfinished() == 0;
    clear(taken.get().entry());
    if (discard) {
      complete(taken.get().entry());
    }
    String removed =
        (objects.areUnseen()
                ? "its response queue is removed; the blob store does not answer, so objects there"
                    + " stay until they expire"
                : "its response queue and its objects in the blob store are removed")
            + (isComplete() ? ", and its results are complete" : "");
    return Optional.of(
        (settled ? "its client has settled it; " : "no client collects it; ") + removed);
  }

  private boolean isComplete() {
    return completed == Completed.BEFORE || completed == Completed.NOW;
  }

  /** Completes the results in the folder, once. */
  private void complete(RunEntry now) throws InterruptedException {
    if (completed == null) {
      completed = completion.complete(now);
    }
  }

  private String waiting(String queue) {
    return "results of finished tasks are waiting in queue %s, or in the blob store; %sdiscard them with: %s"
        .formatted(
            queue,
            resume.map(command -> "collect them with: " + command + ", or ").orElse(""),
            discardCommand());
  }

  private String discardCommand() {
    return "%s cancel -s %s %s --discard".formatted(Launcher.name(), cluster.name(), me.run());
  }

  /** Whether removing the queue would discard finished work; it may be missing for a moment. */
  private boolean resultsQueued(String queue) throws InterruptedException {
    ResponseQueues queues = new ResponseQueues(settings, queue);
    while (true) {
      try {
        return !cluster.responses().receive(queue, 1, LOOK, LOOK).isEmpty();
      } catch (MissingResourceException e) {
        if (queues.missing(queue, time.now())) {
          return false;
        }
        pause.millis(AGAIN_MILLIS);
      }
    }
  }

  private void clear(RunEntry mine) throws InterruptedException {
    RunCleanup.queue(cluster.responses(), mine.responseQueue());
    objects.remove(cancelledAt);
    long now = time.serviceMillis();
    RunEntry settled =
        mine.with(RunEntry.State.CANCELLED, now, mine.tasks(), mine.sent(), mine.counts(), now);
    var unused = cluster.runs().update(settled);
  }
}
