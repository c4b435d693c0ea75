package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker whose process is not scheduled for a while, as where many share few processors. */
class StalledWorkerTest {
  private static final int SEEDS = 20;
  private static final int SLOTS = 4;
  private static final int TASKS = 64;
  private static final int TASK_MILLIS = 128;
  private static final Scenario SHORT =
      new Scenario("short", Consistency.EXACTLY_ONCE, 16, Collections.nCopies(TASKS, TASK_MILLIS));

  private static Ran run(long seed, long stallMillis) {
    return Ran.calm(
        SHORT,
        seed,
        "stalls",
        simulation -> {
          SimWorker worker = simulation.join(SLOTS);
          for (int i = 1; i <= 4; i++) {
            if (stallMillis > 0) {
              Ran.in(simulation, i * 500, () -> worker.process().pause(stallMillis, false));
            }
          }
        });
  }

  /** Its slots are free as soon as it goes on; what waited for them went to other workers. */
  @ParameterizedTest
  @ValueSource(longs = {150, 270, 400})
  void stalls_longer_than_tasks_make_a_worker_give_nothing_away(long stallMillis) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Ran ran = run(seed, stallMillis);

      assertThat(ran.outcome().calls().of(Call.REQUEST_VISIBILITY)).as("seed %d", seed).isZero();
      assertThat(ran.outcome().calls().of(Call.REQUEST_SEND))
          .as("seed %d", seed)
          .isEqualTo(run(seed, 0).outcome().calls().of(Call.REQUEST_SEND));
    }
  }
}
