package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
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
import io.cloudkon.simulator.world.BugHook;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets slots, and when, where nothing goes wrong. */
class GangFairnessTest {
  private static final long SECOND = 1_000_000;
  private static final WorkerSetup TWO_SLOTS =
      WorkerSetup.of(2).with(WorkerSetup.GangTimes.DEFAULT);

  /**
   * Tasks of one sort.
   *
   * @param ranks of each; 0 for tasks of one slot
   */
  private record Same(int size, int ranks, long millis) implements Tasks {
    @Override
    public Task task(int ordinal) {
      Work sleep = new Work.Sleep(millis);
      return new Task(ordinal, "", ranks == 0 ? sleep : new Work.Hpc(ranks, false, sleep), 0);
    }

    @Override
    public long micros(int ordinal) {
      return millis * 1000;
    }
  }

  private static Setup setup(long seed, Tasks... runs) {
    return Setup.of(seed, 2, TWO_SLOTS, List.of(runs), CloudSettings.calm(Latencies.TODAY))
        .withLimitMicros(4 * 3_600 * SECOND);
  }

  /** When the only job of so many ranks had all of them started. */
  private static final class FirstStart implements Consumer<Simulation> {
    private static final long LOOK = 50_000;

    private final String job;
    long micros = -1;

    FirstStart(String job) {
      this.job = job;
    }

    @Override
    public void accept(Simulation simulation) {
      if (simulation.world().witness().ranks().attempts(job) > 0) {
        micros = simulation.world().timeline().now();
      } else {
        simulation.world().timeline().in(LOOK, () -> accept(simulation));
      }
    }
  }

  @Test
  void two_interleaved_gangs_of_four_on_four_slots_both_end_a_hundred_times() {
    for (long seed = 1; seed <= 100; seed++) {
      Outcome outcome = Simulation.run(setup(seed, new Same(1, 4, 500), new Same(1, 4, 500)));

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(2);
      assertThat(outcome.makespanSeconds()).isLessThan(60);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 8})
  void first_gang_of_workers_whose_first_calls_are_slow_starts_when_they_are_not(long seconds) {
    for (long seed = 1; seed <= 20; seed++) {
      FirstStart start = new FirstStart("r0/e/0");

      Outcome outcome =
          Simulation.run(
              setup(seed, new Same(1, 4, 500)),
              simulation -> {
                for (SimWorker worker : simulation.workers()) {
                  simulation.world().hpc().wire().slow(worker.process(), seconds * SECOND);
                }
                start.accept(simulation);
              });

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(1);
      assertThat(start.micros)
          .as("seed %d", seed)
          .isBetween(seconds * SECOND, (seconds + 4) * SECOND);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 60000", "20, 10000", "100, 5000", "250, 2000"})
  void gang_of_all_slots_starts_among_endless_small_tasks_as_soon_as_these_end(
      long millis, int tasks) {
    for (long seed = 1; seed <= 5; seed++) {
      FirstStart start = new FirstStart("r1/e/0");

      Outcome outcome =
          Simulation.run(setup(seed, new Same(tasks, 0, millis), new Same(1, 4, 1_000)), start);

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(tasks + 1);
      assertThat(start.micros).as("seed %d", seed).isBetween(0L, 3 * SECOND);
      assertThat(outcome.makespanSeconds())
          .as("tasks and job one after the other, and a second")
          .isLessThan(tasks * millis / 4 / 1_000.0 * 1.1 + 2);
    }
  }

  @Test
  void gang_of_all_slots_starts_among_endless_long_tasks_after_patience_and_a_task() {
    for (long seed = 1; seed <= 5; seed++) {
      FirstStart start = new FirstStart("r1/e/0");

      Outcome outcome =
          Simulation.run(setup(seed, new Same(100, 0, 10_100), new Same(1, 4, 1_000)), start);

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(101);
      assertThat(start.micros)
          .as("after patience, the looks of the others, a task and the calls")
          .isBetween(0L, 80 * SECOND);
    }
  }

  /** One slot is taken for minutes, so a gang of all slots takes the others in vain. */
  @Test
  void gang_that_cannot_fill_leaves_small_tasks_half_of_the_time_until_its_patience_is_over() {
    for (long seed = 1; seed <= 5; seed++) {
      long[] done = new long[1];
      Setup setup =
          setup(seed, new Same(1, 0, 300_000), new Same(3_000, 0, 100), new Same(1, 4, 1_000));

      Outcome outcome =
          Simulation.run(
              setup,
              simulation -> {
                simulation.startAfter(1, SECOND);
                simulation.startAfter(2, 2 * SECOND);
                simulation
                    .world()
                    .timeline()
                    .in(
                        60 * SECOND,
                        () ->
                            done[0] =
                                simulation
                                    .world()
                                    .witness()
                                    .count(simulation.simRun(1), TaskStatus.SUCCEEDED));
              });

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(3_002);
      assertThat(done[0])
          .as("seed %d: tasks of 1,740 that three slots could run in the time", seed)
          .isGreaterThan(870);
    }
  }

  @Test
  void gang_of_all_slots_starts_among_endless_small_gangs_as_slots_are_promised_to_it() {
    FirstStart start = new FirstStart("r1/e/0");

    Outcome unused = Simulation.run(setup(1, smallGangs(), new Same(1, 4, 1_000)), start);

    assertThat(start.micros).isBetween(0L, 75 * SECOND);
  }

  private static Tasks smallGangs() {
    return new Same(300, 1, 2_500);
  }

  /**
   * Drivers that hang: no manager hears a question for ranks of the first gang, and nobody says so.
   */
  private static final class NeverAsked implements BugHook {
    private String gang = "";

    @Override
    public List<SubWorkerEffect> wanted(SubWorkerEvent event, List<SubWorkerEffect> effects) {
      return effects.stream().filter(effect -> !lost(effect)).toList();
    }

    private boolean lost(SubWorkerEffect effect) {
      if (!(effect instanceof SubWorkerEffect.Register register)) {
        return false;
      }
      if (gang.isEmpty()) {
        gang = register.gang();
      }
      return register.gang().equals(gang);
    }
  }

  @Test
  void question_for_ranks_that_is_never_answered_takes_no_slot_from_the_cluster_for_ever() {
    for (long seed = 1; seed <= 20; seed++) {
      NeverAsked hung = new NeverAsked();
      Outcome outcome = Simulation.run(setup(seed, new Same(1, 4, 500)).with(hung));

      assertThat(hung.gang).isNotEmpty();
      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(1);
      assertThat(outcome.makespanSeconds()).isLessThan(90);
    }
  }

  @Test
  void job_that_waits_for_minutes_is_run_and_not_dead_lettered() {
    long[] dead = {-1};
    Outcome outcome =
        Simulation.run(
            setup(1, new Same(1, 4, 600_000), new Same(1, 4, 100)),
            simulation ->
                simulation
                    .world()
                    .timeline()
                    .in(550 * SECOND, () -> dead[0] = simulation.world().cloud().dead().waiting()));

    assertThat(dead[0]).isZero();
    assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(2);
  }

  @Test
  void job_with_more_ranks_than_there_are_slots_fails_and_the_rest_goes_on() {
    Outcome outcome =
        Simulation.run(setup(1, new Same(1, 9, 100), new Same(5, 3, 100), new Same(50, 0, 20)));

    assertThat(outcome.measures().count(TaskStatus.FAILED)).isEqualTo(1);
    assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(55);
  }

  @Test
  void no_job_is_lost_and_none_starts_twice_where_nobody_dies() {
    for (Consistency mode : List.of(Consistency.EXACTLY_ONCE, Consistency.AT_MOST_ONCE)) {
      Simulation[] ran = new Simulation[1];

      Outcome outcome =
          Simulation.run(
              setup(3, new Same(40, 3, 200), new Same(40, 2, 50), new Same(200, 0, 50)).with(mode),
              simulation -> ran[0] = simulation);

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(280);
      for (int job = 0; job < 40; job++) {
        assertThat(ran[0].world().witness().ranks().attempts("r0/e/" + job)).isEqualTo(1);
      }
    }
  }

  /** Workers that leave every few seconds, each with another in its place. */
  private record Leaving(int times) implements Consumer<Simulation> {
    private static final long EVERY = 1_700_000;

    @Override
    public void accept(Simulation simulation) {
      // Whoever left still waits for its last receive.
      simulation.notOverBefore(60 * SECOND);
      relieve(simulation, join(simulation), times);
    }

    private static SimWorker join(Simulation simulation) {
      return simulation.join(TWO_SLOTS, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
    }

    private static void relieve(Simulation simulation, SimWorker worker, int left) {
      simulation
          .world()
          .timeline()
          .in(
              EVERY,
              () -> {
                worker.drain(60_000);
                if (left > 0) {
                  relieve(simulation, join(simulation), left - 1);
                }
              });
    }
  }

  @Test
  void no_job_is_lost_and_none_starts_twice_as_workers_leave_by_drain() {
    for (long seed = 1; seed <= 20; seed++) {
      Simulation[] ran = new Simulation[1];

      Outcome outcome =
          Simulation.run(
              setup(seed, new Same(60, 3, 200), new Same(60, 2, 50), new Same(100, 0, 50))
                  .with(Consistency.AT_MOST_ONCE),
              simulation -> {
                ran[0] = simulation;
                new Leaving(10).accept(simulation);
              });

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).as("seed %d", seed).isEqualTo(220);
      for (int job = 0; job < 60; job++) {
        assertThat(ran[0].world().witness().ranks().attempts("r0/e/" + job)).isEqualTo(1);
      }
    }
  }
}
