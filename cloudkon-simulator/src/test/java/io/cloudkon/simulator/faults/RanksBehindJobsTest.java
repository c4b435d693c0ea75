package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.BugHook;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Why ranks that look for a slot have a queue of their own. The protocol has them in the queue of
 * jobs. There they come behind the backlog, and a worker whose hand is full of jobs that wait
 * receives no other: it never gets to the ranks, its gang does not fill in time, is dissolved, and
 * offers its ranks anew, at the end. Nobody fails here: what does not run would not run by itself.
 *
 * <p>The one queue is modelled leniently: jobs never wait for ranks, and ranks within reach are
 * received by who has a slot, whether or not it has room for a job.
 */
class RanksBehindJobsTest {
  private static final long SECOND = 1_000_000;

  /** Of one; the protocol's own times: 10 s for a gang to fill, 60 s of patience. */
  private static final WorkerSetup TWO_SLOTS =
      WorkerSetup.of(2).with(WorkerSetup.GangTimes.DEFAULT);

  private static final int WORKERS = 2;

  /**
   * Each has 8 jobs that wait in hand at most, and one more where one of them had a gang meanwhile.
   */
  private static final int IN_HANDS = WORKERS * 9;

  /** Sixty gangs in vain, one every ten seconds; with a queue for ranks 25 s are enough for all. */
  private static final long LONG_ENOUGH = 600 * SECOND;

  /** SQS picks among some of the oldest; ElasticMQ takes the oldest. */
  private static final int IN_ORDER = 1;

  private static final int ROUGHLY = 64;

  private static final BugHook ONE_QUEUE =
      new BugHook() {
        @Override
        public boolean ranksAmongJobs() {
          return true;
        }
      };

  /**
   * Jobs of a tenth of a second that are larger than a worker.
   *
   * @param ranks of one after the other, and from the first again
   */
  private record Jobs(int size, List<Integer> ranks) implements Tasks {
    static Jobs ofFourRanks(int size) {
      return new Jobs(size, List.of(4));
    }

    /** No two neighbours have one gang. */
    static Jobs ofFourAndThreeRanks(int size) {
      return new Jobs(size, List.of(4, 3));
    }

    @Override
    public Task task(int ordinal) {
      int size = ranks.get(ordinal % ranks.size());
      return new Task(ordinal, "", new Work.Hpc(size, false, new Work.Sleep(100)), 0);
    }

    @Override
    public long micros(int ordinal) {
      return 100_000;
    }
  }

  private static Setup setup(long seed, int disorder, Tasks... runs) {
    return Setup.of(
            seed,
            0,
            TWO_SLOTS,
            List.of(runs),
            CloudSettings.calm(Latencies.TODAY).withDisorder(disorder))
        .withLimitMicros(LONG_ENOUGH);
  }

  /** Workers that join then. */
  private static Consumer<Simulation> joinAfter(long seconds) {
    return simulation ->
        simulation
            .world()
            .timeline()
            .in(
                seconds * SECOND,
                () -> {
                  for (int i = 0; i < WORKERS; i++) {
                    SimWorker unused =
                        simulation.join(TWO_SLOTS, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
                  }
                });
  }

  /** Runs it until it is given up. */
  private static Simulation inVain(Setup setup, Consumer<Simulation> script) {
    AtomicReference<Simulation> ran = new AtomicReference<>();
    assertThatThrownBy(
            () -> {
              Outcome unused =
                  Simulation.run(
                      setup,
                      simulation -> {
                        ran.set(simulation);
                        script.accept(simulation);
                      });
            })
        .isInstanceOf(Violation.class)
        .hasMessageStartingWith("not over after %d s", setup.limitMicros() / SECOND);
    return ran.get();
  }

  private static long started(Simulation simulation) {
    return simulation.world().witness().ranks().started();
  }

  private static int inHands(Simulation simulation) {
    return simulation.world().hpc().jobs().inFlight();
  }

  private static int startedJobs(Simulation simulation, int jobs) {
    int started = 0;
    for (int job = 0; job < jobs; job++) {
      started += Math.min(1, simulation.world().witness().ranks().attempts("r0/e/" + job));
    }
    return started;
  }

  @ParameterizedTest
  @CsvSource({IN_ORDER + ", 0", IN_ORDER + ", 10", ROUGHLY + ", 0", ROUGHLY + ", 10"})
  void backlog_runs_to_its_end_with_a_queue_for_ranks(int disorder, long join) {
    for (long seed = 1; seed <= 3; seed++) {
      for (Jobs jobs : List.of(Jobs.ofFourRanks(200), Jobs.ofFourAndThreeRanks(200))) {
        Outcome outcome = Simulation.run(setup(seed, disorder, jobs), joinAfter(join));

        assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(200);
        // One after the other they take 20 s.
        assertThat(outcome.makespanSeconds()).isLessThan(join + 30);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({IN_ORDER + ", 0", IN_ORDER + ", 10", ROUGHLY + ", 10"})
  void no_job_of_a_backlog_ever_starts_with_one_queue(int disorder, long join) {
    for (long seed = 1; seed <= 3; seed++) {
      Simulation simulation =
          inVain(setup(seed, disorder, Jobs.ofFourRanks(200)).with(ONE_QUEUE), joinAfter(join));

      assertThat(started(simulation)).isZero();
      assertThat(inHands(simulation)).isBetween(IN_HANDS - WORKERS, IN_HANDS);
      assertThat(simulation.world().hpc().ranks().waiting())
          .as("of a gang every ten seconds, though nobody has received one")
          .isGreaterThan(50 * 3);
    }
  }

  /** At most those run that were in hand, by a gang that was there before the backlog. */
  @Test
  void jobs_of_several_sizes_stop_with_one_queue_once_there_is_a_backlog() {
    for (long seed = 1; seed <= 3; seed++) {
      Simulation simulation =
          inVain(setup(seed, ROUGHLY, Jobs.ofFourAndThreeRanks(200)).with(ONE_QUEUE), joinAfter(0));

      assertThat(startedJobs(simulation, 200))
          .as("what was in hand, and what came for it, of 200")
          .isLessThanOrEqualTo(2 * IN_HANDS);
    }
  }

  /** It is the backlog, and nothing else about the one queue. */
  @ParameterizedTest
  @ValueSource(ints = {IN_ORDER, ROUGHLY})
  void as_many_jobs_as_hands_hold_run_with_one_queue(int disorder) {
    for (long seed = 1; seed <= 3; seed++) {
      Outcome outcome =
          Simulation.run(
              setup(seed, disorder, Jobs.ofFourAndThreeRanks(16)).with(ONE_QUEUE), joinAfter(10));

      assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(16);
    }
  }

  /**
   * Receives for a worker whose hand is full, and puts everything back, behind what is there: so
   * ranks are reached in the end.
   */
  private record Turning(Simulation simulation, SimProcess process, AtomicLong receives) {
    private static final long HIDDEN = 15 * SECOND;

    static AtomicLong joinAfter(Simulation simulation, long seconds) {
      AtomicLong receives = new AtomicLong();
      for (int i = 0; i < WORKERS; i++) {
        SimProcess process =
            simulation.world().process("turn" + i, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
        process.in(seconds * SECOND, new Turning(simulation, process, receives)::turn);
      }
      return receives;
    }

    void turn() {
      SimQueue<Request> jobs = simulation.world().hpc().jobs();
      if (jobs.waiting() == 0) {
        process.in(SECOND / 10, this::turn);
        return;
      }
      receives.incrementAndGet();
      jobs.receive(process, 10, 0, HIDDEN, got -> putBack(jobs, got == null ? List.of() : got));
    }

    private void putBack(SimQueue<Request> jobs, List<Delivery<Request>> got) {
      if (got.isEmpty()) {
        process.in(1_000, this::turn);
        return;
      }
      AtomicLong left = new AtomicLong(got.size());
      for (Delivery<Request> one : got) {
        jobs.hide(
            process,
            one,
            0,
            answer -> {
              if (left.decrementAndGet() == 0) {
                turn();
              }
            });
      }
    }
  }

  @Test
  void full_hands_that_put_jobs_back_help_a_small_backlog_with_many_receives() {
    AtomicReference<AtomicLong> receives = new AtomicReference<>();

    Outcome outcome =
        Simulation.run(
            setup(1, IN_ORDER, Jobs.ofFourAndThreeRanks(200)).with(ONE_QUEUE),
            simulation -> {
              joinAfter(10).accept(simulation);
              receives.set(Turning.joinAfter(simulation, 10));
            });

    assertThat(outcome.measures().count(TaskStatus.SUCCEEDED)).isEqualTo(200);
    assertThat(receives.get().get()).as("five for each job, and more").isGreaterThan(1_000);
  }

  /** A round of all of it takes longer than a gang may take to fill. */
  @Test
  void full_hands_that_put_jobs_back_are_no_help_with_a_large_backlog() {
    Setup large =
        setup(1, IN_ORDER, Jobs.ofFourRanks(10_000), Jobs.ofFourRanks(10_000)).with(ONE_QUEUE);

    Simulation simulation =
        inVain(
            large,
            ran -> {
              joinAfter(60).accept(ran);
              AtomicLong unused = Turning.joinAfter(ran, 60);
            });

    assertThat(started(simulation)).isZero();
  }

  @Test
  void large_backlog_begins_at_once_with_a_queue_for_ranks() {
    Setup large =
        setup(1, IN_ORDER, Jobs.ofFourRanks(10_000), Jobs.ofFourRanks(10_000))
            .withLimitMicros(65 * SECOND);

    Simulation simulation = inVain(large, joinAfter(60));

    assertThat(started(simulation)).isGreaterThan(4 * 20);
  }
}
