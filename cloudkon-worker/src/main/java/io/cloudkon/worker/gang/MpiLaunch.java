package io.cloudkon.worker.gang;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.execute.NotStartedException;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.health.StartHindrance;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
 * The launcher of one attempt at an MPI job: mpiexec, beside the ranks. Whether any of its ranks
 * were ever told to start is decided once, and where none were the inbox is always told. Thread
 * safe.
 */
final class MpiLaunch {
  private static final Logger LOG = LoggerFactory.getLogger(MpiLaunch.class);
  private static final byte[] NOTHING = {};

  /** Once its ranks have ended, a launcher ends by itself, or is ended after this. */
  private static final Duration END = Duration.ofSeconds(10);

  /** Runs mpiexec, as a worker's runner does. */
  interface Mpiexec {
    TaskOutcome run(TaskEnvironment around, Task task, Interruption interruption, MpiJob job)
        throws TaskInterruptedException, NotStartedException;
  }

  /** Whether its ranks were told to start. */
  private enum Ranks {
    /** Neither that nor the opposite is certain. */
    OPEN,
    /** Some may have been. */
    STARTED,
    /** None was, and none will be. */
    NEVER
  }

  private final String gang;
  private final int attempt;
  private final MpiJob mpi;
  private final GangInbox inbox;

  /** Its own, so that it can be given up without the job, whatever it waits for. */
  private final BundleInHand job;

  private final AtomicReference<Ranks> ranks = new AtomicReference<>(Ranks.OPEN);
  private final CompletableFuture<JobResults.Launched> ended = new CompletableFuture<>();
  private final Thread run;
  private final Thread order;

  /** Its ranks were ended: whatever becomes of it is no news. */
  private volatile boolean over;

  /** Why it was given up, where that is the job's failure. */
  private volatile @Nullable String trouble;

  /**
   * Starts nothing yet.
   *
   * @param mpi the same run, as mpiexec sees it
   * @param health says whether an mpiexec that did not start is to blame, or this worker
   * @param lines is told what each rank is to run, by rank, at most once; whatever it throws, it
   *     may have told some of them
   * @param whenOver is told when mpiexec has ended
   */
  MpiLaunch(
      String gang,
      BundleInHand job,
      int attempt,
      MpiJob mpi,
      Inputs inputs,
      Mpiexec mpiexec,
      Health health,
      GangInbox inbox,
      Consumer<List<String>> lines,
      Consumer<MpiLaunch> whenOver) {
    this.gang = gang;
    this.job = job.again(job.key(), job.nonce());
    this.attempt = attempt;
    this.mpi = mpi;
    this.inbox = inbox;
    this.run =
        Thread.ofVirtual()
            .name("cloudkon-mpiexec")
            .unstarted(() -> {
              run(inputs, mpiexec, health);
              whenOver.accept(this);
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

  /** The attempt of its claim. */
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
      // Its outcome says the same, and is told.
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

  private void run(Inputs inputs, Mpiexec mpiexec, Health health) {
    JobResults.Launched how;
    Optional<StartHindrance> hindrance = Optional.empty();
    boolean byItself = true;
    Task task = job.task(0);
    try (Inputs.Provisions provisions = inputs.provisions(job)) {
      TaskEnvironment around = provisions.around(task);
      how = launched(mpiexec.run(around, complete(provisions, task), job.interruption(), mpi));
    } catch (TaskInterruptedException e) {
      byItself = false;
      if (e.unfinished() != null) {
        e.unfinished().spools().release();
      }
      how = failed(endedBecause());
    } catch (GivenUpException e) {
      byItself = false;
      how = failed(endedBecause());
    } catch (InputException e) {
      how = failed(e.reason());
      hindrance = StartHindrance.of(e, health);
    } catch (NotStartedException e) {
      how = launched(e.outcome());
      hindrance = StartHindrance.of(e, health);
    } catch (RuntimeException | Error e) {
      LOG.error("job {} could not be launched", id(), e);
      how = failed("its manager could not launch it: " + e.getClass().getName());
    }
    boolean never = ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER);
    if (never && how.status() == TaskStatus.SUCCEEDED) {
      how.spools().release();
      how = failed("its mpiexec ended before its ranks were started");
    }
    // Nobody waits for lines that will not come; those that came stay.
    mpi.unusable(how.error());
    ended.complete(how);
    if (never && hindrance.isPresent()) {
      tellHindered(hindrance.get());
    } else if (never && !byItself) {
      tellNever();
    } else if (never) {
      tellFailed();
    } else if (byItself
        && ranks.get() == Ranks.STARTED
        && !over
        && how.status() != TaskStatus.SUCCEEDED) {
      tellFailed();
    }
  }

  private String endedBecause() {
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

  private static Task complete(Inputs.Provisions provisions, Task task)
      throws InputException, GivenUpException {
    return task.work() instanceof Work.Hpc hpc
        ? task.with(
            new Work.Hpc(hpc.ranks(), hpc.mpi(), provisions.complete(task.with(hpc.each())).work()))
        : task;
  }

  private static JobResults.Launched launched(TaskOutcome outcome) {
    return new JobResults.Launched(
        outcome.status(),
        outcome.exitCode(),
        outcome.stdout(),
        outcome.stdoutBytes(),
        outcome.stderr(),
        outcome.stderrBytes(),
        outcome.error(),
        outcome.spools());
  }

  private static JobResults.Launched failed(String why) {
    return new JobResults.Launched(TaskStatus.FAILED, 0, NOTHING, 0, NOTHING, 0, why);
  }

  /** A rank has ended: mpiexec may not notice by itself. */
  void rankEnded(int rank, int exitCode) {
    mpi.rankEnded(rank, exitCode);
  }

  /**
   * Its ranks are to end, and so is it; what it has printed is kept. Where none was told to start,
   * none will be, and the inbox is told.
   *
   * @return whether nobody will ask how it ended
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

  /** It is of no use any more: ends it, whatever it has printed, and tells nobody. */
  void abandon(String why) {
    over = true;
    ranks.compareAndSet(Ranks.OPEN, Ranks.NEVER);
    job.abandon(why);
  }

  /** The same, where nobody will ask how it ended: frees the disk of what it has printed. */
  void forget(String why) {
    abandon(why);
    releaseAtEnd();
  }

  private void releaseAtEnd() {
    var unused = ended.thenAccept(how -> how.spools().release());
  }

  /** How it ended, where its ranks have. Waits for that, but not for ever. */
  JobResults.Launched awaitEnd() {
    try {
      return get();
    } catch (TimeoutException e) {
      abandon("its ranks have ended, and it had not");
      try {
        return get();
      } catch (TimeoutException again) {
        releaseAtEnd();
        return failed("its mpiexec did not end");
      }
    }
  }

  private JobResults.Launched get() throws TimeoutException {
    try {
      return ended.get(END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      releaseAtEnd();
      return failed("its worker ends");
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
    }
  }

  /** Waits for its threads, but not for ever. */
  void join() throws InterruptedException {
    boolean ends = run.join(END) && order.join(END);
    if (!ends) {
      LOG.warn("the mpiexec of job {} does not end", id());
    }
  }
}
