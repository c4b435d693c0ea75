package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two workers of two slots, and one that they cannot call although it can call them: behind a
 * firewall, or with a wrong address. Nothing else goes wrong.
 */
class UnreachableWorkersTest {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final WorkerSetup TWO_SLOTS =
      WorkerSetup.of(2).with(WorkerSetup.GangTimes.DEFAULT);

  /** Jobs of one size. */
  private record Jobs(int size, int ranks) implements Tasks {
    @Override
    public Task task(int ordinal) {
      return new Task(ordinal, "", new Work.Hpc(ranks, false, new Work.Sleep(1_000)), 0);
    }

    @Override
    public long micros(int ordinal) {
      return SECOND;
    }
  }

  /**
   * Runs jobs on three workers, the last of which joins when the others have the jobs.
   *
   * @param shutMicros for how long others cannot call it
   */
  private static Outcome run(long seed, Consistency mode, Jobs jobs, long shutMicros) {
    Setup setup =
        Setup.of(seed, 2, TWO_SLOTS, List.of(jobs), CloudSettings.calm(Latencies.TODAY))
            .with(mode)
            .withLimitMicros(3_600 * SECOND);
    return Simulation.run(
        setup,
        simulation -> {
          simulation
              .world()
              .timeline()
              .in(
                  2 * SECOND,
                  () -> {
                    SimWorker third =
                        simulation.join(TWO_SLOTS, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
                    simulation.world().hpc().wire().shut(third.process(), shutMicros);
                  });
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void job_that_needs_a_worker_whom_nobody_can_call_waits_until_somebody_can(Consistency mode) {
    for (long seed = 1; seed <= 5; seed++) {
      Outcome outcome = run(seed, mode, new Jobs(1, 6), 5 * MINUTE);

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).as("seed %d", seed).isEqualTo(1);
      assertThat(outcome.makespanSeconds()).isBetween(300.0, 480.0);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Consistency.class,
      names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void jobs_that_fit_on_the_others_are_done_there(Consistency mode) {
    for (long seed = 1; seed <= 5; seed++) {
      Outcome outcome = run(seed, mode, new Jobs(12, 4), 60 * MINUTE);

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).as("seed %d", seed).isEqualTo(12);
      assertThat(outcome.makespanSeconds()).as("the third costs them nothing").isLessThan(20);
    }
  }
}
