package io.cloudkon.worker.gang;

import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The launchers of the MPI jobs that this worker manages. Each is a process beside the ranks and
 * takes no slot. Thread safe.
 */
final class MpiLaunches implements AutoCloseable {
  private final Inputs inputs;
  private final MpiexecRun.Mpiexec mpiexec;
  private final Health health;
  private final String address;
  private final GangInbox inbox;

  /** The launcher of the job that each gang runs. */
  private final Map<String, MpiLaunch> byGang = new ConcurrentHashMap<>();

  /** All launchers that have not ended. */
  private final Set<MpiLaunch> running = ConcurrentHashMap.newKeySet();

  /**
   * Launches nothing yet.
   *
   * @param health decides whether an mpiexec that did not start is at fault, or this worker
   * @param address the address at which other workers' ranks reach a launcher here
   */
  MpiLaunches(
      Inputs inputs, MpiexecRun.Mpiexec mpiexec, Health health, String address, GangInbox inbox) {
    this.inputs = inputs;
    this.mpiexec = mpiexec;
    this.health = health;
    this.address = address;
    this.inbox = inbox;
  }

  /**
   * Starts a job's launcher; returns at once.
   *
   * @param lines receives the launch lines of all ranks, by rank, on another thread; is not called
   *     if there is nothing to run, which is reported to the inbox
   */
  void launch(String gang, BundleInHand job, int attempt, int ranks, Consumer<List<String>> lines) {
    forget(gang);
    MpiLaunch launch =
        new MpiLaunch(
            gang,
            job,
            attempt,
            new MpiJob(ranks, address),
            inputs,
            mpiexec,
            health,
            inbox,
            lines,
            running::remove);
    running.add(launch);
    byGang.put(gang, launch);
    launch.start();
  }

  /** Handles the end of a rank, because its launcher may not notice it by itself. */
  void rankEnded(String gang, String job, int attempt, int rank, int exitCode) {
    MpiLaunch launch = byGang.get(gang);
    if (launch != null && launch.id().equals(job) && launch.attempt() == attempt) {
      launch.rankEnded(rank, exitCode);
    }
  }

  /** Ends the launcher of the gang's job, if there is one, as {@link MpiLaunch#stop} does. */
  void stop(String gang) {
    MpiLaunch launch = byGang.get(gang);
    if (launch != null && launch.stop()) {
      byGang.remove(gang, launch);
    }
  }

  /**
   * Returns the launcher of a job whose ranks have ended, to read its outcome; null if there is
   * none. Removes it from its gang, which may run the next job.
   */
  @Nullable MpiLaunch take(String gang, String job) {
    MpiLaunch launch = byGang.get(gang);
    return launch != null && launch.id().equals(job) && byGang.remove(gang, launch) ? launch : null;
  }

  /**
   * Kills the launcher of the gang's job, if there is one, because the gang was dissolved or runs
   * something else.
   */
  void forget(String gang) {
    MpiLaunch launch = byGang.remove(gang);
    if (launch != null) {
      launch.forget("its attempt has died");
    }
  }

  /** Kills all launchers and waits for them to end. */
  @Override
  public void close() throws InterruptedException {
    List<MpiLaunch> all = List.copyOf(running);
    all.forEach(launch -> launch.abandon("its worker has ended"));
    for (MpiLaunch launch : all) {
      launch.join();
    }
  }
}
