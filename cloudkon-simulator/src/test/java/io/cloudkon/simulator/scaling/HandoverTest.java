package io.cloudkon.simulator.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.Decision;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.scaling.ScaledRun.Decided;
import io.cloudkon.simulator.scaling.ScaledRun.Load;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A provisioner that begins half an hour after another one died at one of its effects. */
class HandoverTest {
  private static final int LATER = 1_800;

  /** For how many seconds the second load waits for a provisioner. */
  private static final int WITHOUT = 30;

  /** The effects around the first launch: its intent, the call, its record. */
  private static final int FIRST = 7;

  private static final int LAST = 12;
  private static final double INTERVAL = 5;

  @Test
  void launch_that_was_never_recorded_is_decided_anew_long_after() {
    int unrecorded = 0;
    for (int effect = FIRST; effect <= LAST; effect++) {
      AtomicBoolean intended = new AtomicBoolean();
      ScaledRun run = handover(CrashPoint.dies(effect, true), intended);
      if (intended.get()) {
        unrecorded++;
        assertThat(run.launches())
            .as("launches after a death at effect %d", effect)
            .extracting(Decided::atSeconds)
            .anyMatch(at -> at >= LATER && at <= LATER + WITHOUT + 2 * INTERVAL);
      }
    }
    assertThat(unrecorded).isPositive();
  }

  /** The workers of the first launch do the first load, and are gone when the second one comes. */
  private static ScaledRun handover(CrashPoint death, AtomicBoolean intended) {
    List<Load> loads =
        List.of(
            new Load(0, new SleepTasks(600, 1_000)), new Load(LATER, new SleepTasks(600, 1_000)));
    return ScaledRun.of(
        1,
        ScalingSetup.of(0, 10, 2),
        loads,
        (simulation, fleet) -> {
          var first = fleet.provisioner(death, SimProcess.Clocks.RIGHT);
          simulation
              .world()
              .timeline()
              .in(
                  (LATER + WITHOUT) * (long) ScaledRun.SECOND,
                  () -> {
                    first.process().die();
                    intended.set(
                        fleet.cloud().decisions().now().decisions(1, 100).stream()
                                .anyMatch(one -> one.state() == Decision.State.INTENDED)
                            && fleet.cloud().instances().existing().isEmpty());
                    var second = fleet.provisioner();
                  });
        });
  }
}
