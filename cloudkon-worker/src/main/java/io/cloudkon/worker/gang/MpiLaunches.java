package io.cloudkon.worker.gang;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.execute.Surroundings;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskOutcome;
import io.cloudkon.worker.input.GivenUpException;
import io.cloudkon.worker.input.InputException;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The launchers of the MPI jobs that this worker manages: each a process beside the ranks, which
 * takes no slot. Thread safe.
 */
final class MpiLaunches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MpiLaunches.class);
  private static final byte[] NOTHING = {};

  /** Once its ranks have ended, a launcher ends by itself, or is ended after this. */
  private static final long END_SECONDS = 10;

  private final GangHost host;
  private final String address;
  private final GangInbox inbox;
  private final Map<String, Launch> byGang = new ConcurrentHashMap<>();

  /**
   * One launcher.
   *
   * @param started its ranks were told what to run
   * @param over its ranks were ended: whatever becomes of it is no news
   */
  private record Launch(
      String job,
      MpiJob mpi,
      Interruption interruption,
      AtomicBoolean started,
      AtomicBoolean over,
      CompletableFuture<JobResults.Launched> ended) {}

  /**
   * Launches nothing yet.
   *
   * @param address by which other workers' ranks reach a launcher here
   */
  MpiLaunches(GangHost host, String address, GangInbox inbox) {
    this.host = host;
    this.address = address;
    this.inbox = inbox;
  }

  /**
   * Starts a job's launcher; returns at once.
   *
   * @param lines is told what each rank is to run, by rank, on another thread; not at all where
   *     there is nothing to run, and then the inbox is told
   */
  void launch(String gang, BundleInHand job, int ranks, Consumer<List<String>> lines) {
    Launch launch =
        new Launch(
            job.header().bundle(),
            new MpiJob(ranks, address),
            new Interruption(),
            new AtomicBoolean(),
            new AtomicBoolean(),
            new CompletableFuture<>());
    byGang.put(gang, launch);
    Thread.ofVirtual().name("cloudkon-mpiexec").start(() -> run(gang, launch, job));
    Thread.ofVirtual()
        .name("cloudkon-mpi-lines")
        .start(() -> {
          try {
            List<String> all = launch.mpi().lines();
            launch.started().set(true);
            lines.accept(all);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (CloudKonException e) {
            // Its outcome says the same, and is told.
            LOG.info("job {} cannot be launched: {}", launch.job(), e.getMessage());
          }
        });
  }

  private void run(String gang, Launch launch, BundleInHand job) {
    JobResults.Launched ended;
    boolean told = true;
    Task task = job.task(0);
    try (Inputs.Provisions provisions = host.inputs().provisions(job)) {
      Surroundings around = provisions.around(task);
      TaskOutcome outcome =
          host.runner()
              .mpiexec(around, complete(provisions, task), launch.interruption(), launch.mpi());
      ended =
          new JobResults.Launched(
              outcome.status(),
              outcome.exitCode(),
              outcome.stdout(),
              outcome.stdoutBytes(),
              outcome.stderr(),
              outcome.stderrBytes(),
              outcome.error());
    } catch (TaskInterruptedException | GivenUpException e) {
      // Whoever ended it knows.
      told = false;
      ended = failed("it was ended with its ranks");
    } catch (InputException e) {
      ended = failed(e.reason());
    } catch (RuntimeException | Error e) {
      LOG.error("job {} could not be launched", launch.job(), e);
      ended = failed("its manager could not launch it: " + e.getClass().getName());
    }
    // Nobody waits for lines that will not come; those that came stay.
    launch.mpi().unusable(ended.error());
    launch.ended().complete(ended);
    if (told && !launch.over().get() && ended.status() != TaskStatus.SUCCEEDED) {
      inbox.tell(new GangEvent.LaunchFailed(gang, job.key(), launch.started().get()));
    }
  }

  private static Task complete(Inputs.Provisions provisions, Task task)
      throws InputException, GivenUpException {
    return task.work() instanceof Work.Hpc hpc
        ? task.with(
            new Work.Hpc(hpc.ranks(), hpc.mpi(), provisions.complete(task.with(hpc.each())).work()))
        : task;
  }

  private static JobResults.Launched failed(String why) {
    return new JobResults.Launched(TaskStatus.FAILED, 0, NOTHING, 0, NOTHING, 0, why);
  }

  /** A rank has ended: its launcher may not notice by itself. */
  void rankEnded(String gang, String job, int rank, int exitCode) {
    Launch launch = byGang.get(gang);
    if (launch != null && launch.job().equals(job)) {
      launch.mpi().rankEnded(rank, exitCode);
    }
  }

  /** Ends the launcher of what the gang runs, if there is one; what it has printed is kept. */
  void kill(String gang) {
    Launch launch = byGang.get(gang);
    if (launch != null) {
      launch.over().set(true);
      if (launch.started().get()) {
        launch.mpi().ranksEnded();
      } else {
        launch.interruption().kill("its ranks were ended");
      }
    }
  }

  /** What became of the launcher of a job whose ranks have ended; null if it has none. Waits. */
  JobResults.@Nullable Launched end(String gang, String job) {
    Launch launch = byGang.get(gang);
    if (launch == null || !launch.job().equals(job)) {
      return null;
    }
    try {
      return wait(launch);
    } catch (TimeoutException e) {
      launch.interruption().kill("its ranks have ended, and it had not");
      try {
        return wait(launch);
      } catch (TimeoutException again) {
        return failed("its mpiexec did not end");
      }
    } finally {
      byGang.remove(gang, launch);
    }
  }

  private static JobResults.Launched wait(Launch launch) throws TimeoutException {
    try {
      return launch.ended().get(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("its worker ends");
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
    }
  }

  @Override
  public void close() {
    byGang.values().forEach(launch -> launch.interruption().kill("its worker has ended"));
  }
}
