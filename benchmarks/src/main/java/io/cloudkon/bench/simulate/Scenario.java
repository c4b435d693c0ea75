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
 * A fleet and its load, but for the number of workers. Nothing goes wrong in it. Immutable.
 *
 * @param seed of everything that is drawn
 * @param consistency what the runs promise
 * @param slots of each worker
 * @param tasksPerWorker how many tasks there are, for each worker
 * @param times how long tasks take
 * @param clients how many there are, each with a run of its own; 0 for one for each worker
 * @param client what they have in common
 * @param latencies how long calls take
 * @param quotas whether DynamoDB's quota of writes per table holds
 * @param overheadMicros what the worker's program adds to each task, in microseconds
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
  /** Keeps the draws of runs apart. */
  private static final long APART = 0x9E3779B97F4A7C15L;

  /** All tasks of so many workers. */
  public long tasks(int workers) {
    return (long) workers * tasksPerWorker;
  }

  /** How many runs, and clients, so many workers have. */
  public int runs(int workers) {
    return clients == 0 ? workers : clients;
  }

  /** What each of the runs consists of, as the tasks state it; evenly shared out. */
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

  /** All of it, for the simulator. */
  Setup setup(int workers, List<Tasks> load) {
    CloudSettings calm = CloudSettings.calm(latencies);
    CloudSettings cloud = quotas ? calm : calm.withTableWrites(0);
    List<Tasks> runs =
        overheadMicros == 0
            ? load
            : load.stream().<Tasks>map(tasks -> new SlowedTasks(tasks, overheadMicros)).toList();
    return Setup.of(seed, workers, WorkerSetup.of(slots), runs, cloud)
        .with(consistency)
        .with(client);
  }

  /** With another promise. */
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

  /** With other clients. */
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

  /** With another seed. */
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
