package io.cloudkon.worker.gang;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launcher of one attempt at an MPI job: an mpiexec process beside the ranks. Decides once
 * whether any of its ranks may have been told to start; if none was, always informs the inbox,
 * unless it is abandoned. Thread safe.
 */
final class MpiLaunch {
  private static final Logger LOG = LoggerFactory.getLogger(MpiLaunch.class);

  /** The time within which a launcher must end after its ranks; then it is killed. */
  private static final Duration END = Duration.ofSeconds(10);

  /** Whether its ranks were told to start. */
  private enum Ranks {
    /** Not decided yet. */
    OPEN,
    /** Some may have been told. */
    STARTED,
    /** None was told, and none will be. */
    NEVER
  }

  private final String gang;
  private final int attempt;
  private final MpiJob mpi;
  private final GangInbox inbox;

  /**
   * A separate instance, so that this launch can be abandoned without the job, whatever it waits
   * for.
   */
  private final BundleInHand job;

  private final AtomicReference<Ranks> ranks = new AtomicReference<>(Ranks.OPEN);
  private final CompletableFuture<JobResults.Launched> ended = new CompletableFuture<>();
  private final Thread run;
  private final Thread order;

  /** Whether its ranks were ended; then its own failure is not reported. */
  private volatile boolean over;

  /** Why it was abandoned, if that is the job's failure. */
  private volatile @Nullable String trouble;

  /**
   * Starts nothing yet.
   *
   * @param mpi the same run, as mpiexec sees it
   * @param health decides whether an mpiexec that did not start is at fault, or this worker
   * @param lines receives the launch lines of all ranks, by rank, at most once; if it throws, some
   *     ranks may have been started
   * @param whenOver receives this launch when mpiexec has ended
   */
  MpiLaunch(
      String gang,
      BundleInHand job,
      int attempt,
      MpiJob mpi,
      Inputs inputs,
      MpiexecRun.Mpiexec mpiexec,
      Health health,
      GangInbox inbox,
      Consumer<List<String>> lines,
      Consumer<MpiLaunch> whenOver) {
    this.gang = gang;
    this.job = job.again(job.key(), job.nonce());
    this.attempt = attempt;
    this.mpi = mpi;
    this.inbox = inbox;
    MpiexecRun mpiexecRun = new MpiexecRun(this.job, mpi, inputs, mpiexec, health);
    this.run =
        Thread.ofVirtual()
            .name("cloudkon-mpiexec")
            .unstarted(() -> {
              try {
                tell(mpiexecRun.run(this::whyStopped));
              } catch (RuntimeException | Error e) {
                tellUnhandled(e);
              } finally {
                whenOver.accept(this);
              }
            });
    this.order = Thread.ofVirtual().name("cloudkon-mpi-lines").unstarted(() -> order(lines));
  }

  /** Starts mpiexec; returns at once. */
  void start() {
    run.start();
    order.start();
  }

  /** The job's bundle id. */
  String id() {
    return job.header().bundle();
  }

  /** The attempt number of its claim. */
  int attempt() {
    return attempt;
  }

  private void order(Consumer<List<String>> lines) {
    List<String> all;
    try {
      all = mpi.lines();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } catch (CloudKonException e) {
      // The outcome of mpiexec has the same reason, and is reported.
      LOG.info("job {} cannot be launched: {}", id(), e.getMessage());
      return;
    }
    if (!ranks.compareAndSet(Ranks.OPEN, Ranks.STARTED)) {
      return;
    }
    try {
      lines.accept(all);
    } catch (RuntimeException | Error e) {
      LOG.error("the ranks of job {} could not be started", id(), e);
      trouble = "its manager could not start its ranks: " + e.getClass().getName();
      tellFailed();
      job.abandon("its ranks could not be started");
    }
  }

  private void tell(MpiexecRun.Outcome outcome) {
    JobResults.Launched how = outcome.how();
    boolean never = ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER);
    if (never && how.status() == TaskStatus.SUCCEEDED) {
      how.spools().release();
      how = JobResults.Launched.failed("its mpiexec ended before its ranks were started");
    }
    // Ends the wait for launch lines that will not come; lines that came remain.
    mpi.unusable(how.error());
    ended.complete(how);
    if (never && outcome.hindrance().isPresent()) {
      tellHindered(outcome.hindrance().get());
    } else if (never && !outcome.byItself()) {
      tellNever();
    } else if (never) {
      tellFailed();
    } else if (outcome.byItself()
        && ranks.get() == Ranks.STARTED
        && !over
        && how.status() != TaskStatus.SUCCEEDED) {
      tellFailed();
    }
  }

  /** Ends every wait for its end, whatever has failed on the way. */
  private void tellUnhandled(Throwable failure) {
    LOG.error("the end of the mpiexec of job {} could not be handled", id(), failure);
    String why = "the end of its mpiexec could not be handled: " + failure.getClass().getName();
    ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER);
    mpi.unusable(why);
    boolean untold = ended.complete(JobResults.Launched.failed(why));
    // a second report changes nothing, and without one the ranks would be waited for in vain
    if (!over && (untold || ranks.get() == Ranks.NEVER)) {
      tellFailed();
    }
  }

  private String whyStopped() {
    String why = trouble;
    return why == null ? "it was ended with its ranks" : why;
  }

  private void tellNever() {
    inbox.tell(new GangEvent.NotLaunched(gang, id(), attempt));
  }

  private void tellHindered(StartHindrance found) {
    LOG.warn("the mpiexec of job {} did not start here: {}", id(), found.reason());
    inbox.tell(
        new GangEvent.LaunchHindered(gang, id(), attempt, found.reason(), found.hiddenMillis()));
  }

  private void tellFailed() {
    boolean started = ranks.get() == Ranks.STARTED;
    inbox.tell(new GangEvent.LaunchFailed(gang, id(), attempt, started));
  }

  /** Handles the end of a rank, because mpiexec may not notice it by itself. */
  void rankEnded(int rank, int exitCode) {
    mpi.rankEnded(rank, exitCode);
  }

  /**
   * Ends it together with its ranks. If ranks may have started, keeps its output. Otherwise none
   * will start, its output is deleted, and the inbox is informed.
   *
   * @return whether its outcome is no longer needed
   */
  boolean stop() {
    over = true;
    if (ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER)) {
      tellNever();
      forget("its ranks were ended");
      return true;
    }
    if (ranks.get() == Ranks.STARTED) {
      mpi.ranksEnded();
    }
    return false;
  }

  /** Kills it, discards its outcome, and informs nobody. */
  void abandon(String why) {
    over = true;
    ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER);
    job.abandon(why);
  }

  /** Abandons it and deletes its outputs, because its outcome is no longer needed. */
  void forget(String why) {
    abandon(why);
    releaseAtEnd();
  }

  private void releaseAtEnd() {
    var unused = ended.thenAccept(how -> how.spools().release());
  }

  /** Waits for its outcome after its ranks have ended. Kills it if it does not end in time. */
  JobResults.Launched awaitEnd() {
    try {
      return get();
    } catch (TimeoutException e) {
      abandon("its ranks have ended, and it had not");
      try {
        return get();
      } catch (TimeoutException again) {
        releaseAtEnd();
        return JobResults.Launched.failed("its mpiexec did not end");
      }
    }
  }

  private JobResults.Launched get() throws TimeoutException {
    try {
      return ended.get(END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      releaseAtEnd();
      return JobResults.Launched.failed("its worker ends");
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
    }
  }

  /** Waits for its threads to end, for a limited time. */
  void join() throws InterruptedException {
    boolean ends = run.join(END) && order.join(END);
    if (!ends) {
      LOG.warn("the mpiexec of job {} does not end", id());
    }
  }
}
