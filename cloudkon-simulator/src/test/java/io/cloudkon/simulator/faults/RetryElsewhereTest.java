package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A worker on which every task fails, beside others on which none does. */
class RetryElsewhereTest {
  private static final int SEEDS = 60;
  private static final int SIZE = 60;
  private static final int RETRIES = 2;

  /**
   * Tasks that fail on one worker.
   *
   * @param broken its name, once it is there
   */
  private record FailingThere(Set<String> broken) implements Tasks {
    @Override
    public int size() {
      return SIZE;
    }

    @Override
    public Task task(int ordinal) {
      return new Task(ordinal, "", new Work.Sleep(50), 0, RETRIES);
    }

    @Override
    public long micros(int ordinal) {
      return 50_000;
    }

    @Override
    public boolean failSomewhere() {
      return true;
    }

    @Override
    public boolean failsOn(String worker) {
      return broken.contains(worker);
    }
  }

  private static Outcome run(long seed, FaultSettings faults, int workers) {
    FailingThere tasks = new FailingThere(new HashSet<>());
    Setup setup =
        Setup.of(
                seed,
                0,
                WorkerSetup.of(2),
                List.of(tasks),
                CloudSettings.calm(Latencies.all(Latency.millis(8, 20))).with(faults))
            .with(Consistency.EXACTLY_ONCE)
            .with(
                ClientSetup.DEFAULT.with(
                    new BundlerSettings(
                        6,
                        BundlerSettings.DEFAULT.targetMillis(),
                        BundlerSettings.DEFAULT.maxBytes(),
                        true)))
            .withLimitMicros(3_600_000_000L);
    return Simulation.run(
        setup,
        simulation -> {
          tasks.broken().add(simulation.join(2).process().name());
          for (int i = 1; i < workers; i++) {
            simulation.join(2);
          }
        });
  }

  @Test
  void tasks_that_fail_on_one_of_three_workers_succeed_on_the_others() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      // a receive whose answer is lost hides a retry from the workers on which it would succeed
      FaultSettings storm = Faulty.without(Call.REQUEST_RECEIVE, Faulty.storm(60));
      FaultSettings faults = seed % 2 == 0 ? storm : FaultSettings.NONE;
      Outcome outcome = run(seed, faults, 3);

      assertThat(outcome.measures().count(TaskStatus.FAILED)).as("seed %d", seed).isZero();
      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(SIZE);
    }
  }

  @Test
  void worker_that_is_alone_tries_again_itself_and_soon() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Outcome outcome = run(seed, FaultSettings.NONE, 1);

      assertThat(outcome.measures().count(TaskStatus.FAILED)).as("seed %d", seed).isEqualTo(SIZE);
      assertThat(outcome.measures().makespanMicros()).as("seed %d", seed).isLessThan(30_000_000);
    }
  }
}
