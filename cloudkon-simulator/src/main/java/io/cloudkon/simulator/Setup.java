package io.cloudkon.simulator;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.BugHook;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a simulation. Immutable.
 *
 * @param seed the seed of all random numbers
 * @param consistency the mode of all runs
 * @param workers the number of workers at the start; a script may add more
 * @param worker the settings that workers share
 * @param client the settings that clients share
 * @param runs the tasks of each run; each has a client of its own that begins at the start
 * @param cloud the services
 * @param twist the planted bug, if any
 * @param orderWatched whether the order of effects is checked too; otherwise only what a user could
 *     see
 * @param limitMicros the time by which everything must be over, in virtual microseconds
 * @param lines receives the trace; null for none
 */
public record Setup(
    long seed,
    Consistency consistency,
    int workers,
    WorkerSetup worker,
    ClientSetup client,
    List<Tasks> runs,
    CloudSettings cloud,
    BugHook twist,
    boolean orderWatched,
    long limitMicros,
    @Nullable Consumer<String> lines) {
  private static final long LIMIT = 20L * 24 * 3_600_000_000L;

  public Setup {
    runs = List.copyOf(runs);
    if (workers < 0 || runs.isEmpty()) {
      throw new IllegalArgumentException(
          "%d workers, %d runs: at least one run is needed".formatted(workers, runs.size()));
    }
  }

  /** A setup with exactly-once, no bug and all checks. */
  public static Setup of(
      long seed, int workers, WorkerSetup worker, List<Tasks> runs, CloudSettings cloud) {
    return new Setup(
        seed,
        Consistency.EXACTLY_ONCE,
        workers,
        worker,
        ClientSetup.DEFAULT,
        runs,
        cloud,
        BugHook.NONE,
        true,
        LIMIT,
        null);
  }

  /** The median of a call to a table, in microseconds. */
  long callMicros() {
    return (long) cloud.latencies().dynamo().medianMicros();
  }

  public Setup with(Consistency other) {
    return new Setup(
        seed, other, workers, worker, client, runs, cloud, twist, orderWatched, limitMicros, lines);
  }

  public Setup with(ClientSetup other) {
    return new Setup(
        seed,
        consistency,
        workers,
        worker,
        other,
        runs,
        cloud,
        twist,
        orderWatched,
        limitMicros,
        lines);
  }

  /** A copy with these runs. */
  public Setup withRuns(List<? extends Tasks> others) {
    return new Setup(
        seed,
        consistency,
        workers,
        worker,
        client,
        List.copyOf(others),
        cloud,
        twist,
        orderWatched,
        limitMicros,
        lines);
  }

  /** A copy with other services. */
  public Setup with(CloudSettings other) {
    return new Setup(
        seed,
        consistency,
        workers,
        worker,
        client,
        runs,
        other,
        twist,
        orderWatched,
        limitMicros,
        lines);
  }

  /** A copy with a bug, which checks only what a user could see. */
  public Setup with(BugHook other) {
    return new Setup(
        seed, consistency, workers, worker, client, runs, cloud, other, false, limitMicros, lines);
  }

  /** A copy that checks the order of effects, or only what a user could see. */
  public Setup withOrderWatched(boolean watched) {
    return new Setup(
        seed,
        consistency,
        workers,
        worker,
        client,
        runs,
        cloud,
        twist,
        watched,
        limitMicros,
        lines);
  }

  public Setup withLimitMicros(long limit) {
    return new Setup(
        seed, consistency, workers, worker, client, runs, cloud, twist, orderWatched, limit, lines);
  }

  public Setup withTrace(Consumer<String> taker) {
    return new Setup(
        seed,
        consistency,
        workers,
        worker,
        client,
        runs,
        cloud,
        twist,
        orderWatched,
        limitMicros,
        taker);
  }
}
