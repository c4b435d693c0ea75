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
 * The launchers of the MPI jobs that this worker manages: each a process beside the ranks, which
 * takes no slot. Thread safe.
 */
final class MpiLaunches implements AutoCloseable {
  private final Inputs inputs;
  private final MpiLaunch.Mpiexec mpiexec;
  private final Health health;
  private final String address;
  private final GangInbox inbox;

  /** Of the job that each gang runs. */
  private final Map<String, MpiLaunch> byGang = new ConcurrentHashMap<>();

  /** All that have not ended. */
  private final Set<MpiLaunch> running = ConcurrentHashMap.newKeySet();

  /**
   * Launches nothing yet.
   *
   * @param health says whether an mpiexec that did not start is to blame, or this worker
   * @param address by which other workers' ranks reach a launcher here
   */
  MpiLaunches(
      Inputs inputs, MpiLaunch.Mpiexec mpiexec, Health health, String address, GangInbox inbox) {
    this.inputs = inputs;
    this.mpiexec = mpiexec;
    this.health = health;
    this.address = address;
    this.inbox = inbox;
  }

  /**
   * Starts a job's launcher; returns at once.
   *
   * @param lines is told what each rank is to run, by rank, on another thread; not at all where
   *     there is nothing to run, and then the inbox is told
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

  /** A rank has ended: its launcher may not notice by itself. */
  void rankEnded(String gang, String job, int attempt, int rank, int exitCode) {
    MpiLaunch launch = byGang.get(gang);
    if (launch != null && launch.id().equals(job) && launch.attempt() == attempt) {
      launch.rankEnded(rank, exitCode);
    }
  }

  /** Ends the launcher of what the gang runs, if there is one; what it has printed is kept. */
  void stop(String gang) {
    MpiLaunch launch = byGang.get(gang);
    if (launch != null && launch.stop()) {
      byGang.remove(gang, launch);
    }
  }

  /**
   * The launcher of a job whose ranks have ended, to be asked how it did; null if there is none.
   * From now on it is none of its gang's, which may run the next job.
   */
  @Nullable MpiLaunch take(String gang, String job) {
    MpiLaunch launch = byGang.get(gang);
    return launch != null && launch.id().equals(job) && byGang.remove(gang, launch) ? launch : null;
  }

  /** The gang is no more, or runs something else: a launcher of an attempt that died is ended. */
  void forget(String gang) {
    MpiLaunch launch = byGang.remove(gang);
    if (launch != null) {
      launch.forget("its attempt has died");
    }
  }

  /** Ends all launchers, and waits for them. */
  @Override
  public void close() throws InterruptedException {
    List<MpiLaunch> all = List.copyOf(running);
    all.forEach(launch -> launch.abandon("its worker has ended"));
    for (MpiLaunch launch : all) {
      launch.join();
    }
  }
}
