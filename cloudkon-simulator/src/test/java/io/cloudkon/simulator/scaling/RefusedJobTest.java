package io.cloudkon.simulator.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An HPC job for which no instance can be launched, as no pool has capacity for the whole day. */
class RefusedJobTest {
  private static final long SECOND = 1_000_000;
  private static final long DAY = 24 * 3_600 * SECOND;

  /** A single job. */
  private record Job(int ranks) implements Tasks {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public Task task(int ordinal) {
      return new Task(ordinal, "", new Work.Hpc(ranks, false, new Work.Sleep(1_000)), 0);
    }

    @Override
    public long micros(int ordinal) {
      return SECOND;
    }
  }

  @Test
  void job_holds_the_fleet_that_it_has_for_an_hour_and_fails_then() {
    ScalingSetup usual = ScalingSetup.of(0, 10, 2);
    ScalingSetup setup =
        usual
            .with(usual.worker().with(WorkerSetup.GangTimes.DEFAULT))
            .with(new BootSettings(SECOND, SECOND, 1, 0, 0, 0, 0, 0, 0, 0, false, DAY));

    Outcome outcome =
        Simulation.run(
            Setup.of(1, 0, setup.worker(), List.of(new Job(6)), CloudSettings.calm(Latencies.TODAY))
                .withLimitMicros(DAY),
            simulation -> {
              ScaledFleet fleet = new ScaledFleet(simulation, setup);
              var worker = fleet.byHand(2, SimProcess.Clocks.RIGHT);
              var provisioner = fleet.provisioner();
            });

    assertThat(outcome.endMicros()).isBetween(3_600 * SECOND, 3_900 * SECOND);
  }
}
