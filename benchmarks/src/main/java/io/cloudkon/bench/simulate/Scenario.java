package io.cloudkon.bench.simulate;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.SlowedTasks;
import io.cloudkon.simulator.load.Tasks;
import java.util.ArrayList;
import java.util.List;

/**
 * A fleet and its load, except for the number of workers. It has no faults. Immutable.
 *
 * @param seed the seed of all random numbers
 * @param consistency the mode of all runs
 * @param slots the number of slots of each worker
 * @param tasksPerWorker the number of tasks for each worker
 * @param times the durations of tasks
 * @param clients the number of clients, each with a run of its own; 0 for one for each worker
 * @param client the settings that clients share
 * @param latencies the latencies of calls
 * @param quotas whether DynamoDB's quota of writes per table applies
 * @param overheadMicros the time that the worker's program adds to each task, in microseconds
 */
public record Scenario(
    long seed,
    Consistency consistency,
    int slots,
    int tasksPerWorker,
    TaskTimes times,
    int clients,
    ClientSetup client,
    Latencies latencies,
    boolean quotas,
    long overheadMicros) {
  /** Separates the random seeds of runs. */
  private static final long APART = 0x9E3779B97F4A7C15L;

  /** The total number of tasks for this number of workers. */
  public long tasks(int workers) {
    return (long) workers * tasksPerWorker;
  }

  /** The number of runs, and of clients, for this number of workers. */
  public int runs(int workers) {
    return clients == 0 ? workers : clients;
  }

  /** The tasks of each run, with their stated durations; evenly distributed. */
  List<Tasks> load(int workers) {
    int runs = runs(workers);
    long tasks = tasks(workers);
    List<Tasks> load = new ArrayList<>(runs);
    for (int i = 0; i < runs; i++) {
      int share = (int) (tasks / runs + (i < tasks % runs ? 1 : 0));
      load.add(times.tasks(share, seed + i * APART));
    }
    return load;
  }

  /** The complete setup for the simulator. */
  Setup setup(int workers, List<Tasks> load) {
    CloudSettings calm = CloudSettings.calm(latencies);
    CloudSettings cloud = quotas ? calm : calm.withTableWrites(0);
    List<Tasks> runs =
        overheadMicros == 0
            ? load
            : load.stream().<Tasks>map(tasks -> SlowedTasks.each(tasks, overheadMicros)).toList();
    return Setup.of(seed, workers, WorkerSetup.of(slots), runs, cloud)
        .with(consistency)
        .with(client);
  }

  /** A copy with another mode. */
  public Scenario with(Consistency other) {
    return new Scenario(
        seed,
        other,
        slots,
        tasksPerWorker,
        times,
        clients,
        client,
        latencies,
        quotas,
        overheadMicros);
  }

  /** A copy with other client settings. */
  public Scenario with(ClientSetup other) {
    return new Scenario(
        seed,
        consistency,
        slots,
        tasksPerWorker,
        times,
        clients,
        other,
        latencies,
        quotas,
        overheadMicros);
  }

  /** A copy with another seed. */
  public Scenario withSeed(long other) {
    return new Scenario(
        other,
        consistency,
        slots,
        tasksPerWorker,
        times,
        clients,
        client,
        latencies,
        quotas,
        overheadMicros);
  }
}
