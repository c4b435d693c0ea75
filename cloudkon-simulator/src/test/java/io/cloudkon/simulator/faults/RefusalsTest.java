package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.chaos.Chaos;
import io.cloudkon.simulator.chaos.ChaosRun;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Permission;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Policies that deny workers and clients what they need, for a while or for good. */
class RefusalsTest {
  private static final int SEEDS = Integer.getInteger("cloudkon.refused.seeds", 40);
  private static final int MOST_SEEDS = 3_000;

  /** To see that calls are denied; a trace takes time. */
  private static final int TRACED = 20;

  private static final long SICK_TIMEOUT = 300_000;

  @ParameterizedTest
  @EnumSource
  void refusals_break_no_promise_whatever_else_goes_wrong(Consistency consistency) {
    List<String> lines = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      Outcome outcome = ChaosRun.runRefused(seed, consistency, seed < TRACED ? lines::add : null);
      assertThat(outcome.tasks()).isPositive();
    }
    assertThat(lines)
        .anyMatch(line -> line.contains("is denied"))
        .anyMatch(line -> line.contains("is sick: a service refuses it"))
        .anyMatch(line -> line.contains("is well again"));
  }

  @ParameterizedTest
  @CsvSource({
    "REFUSED_WRITE_TAKEN_AS_DONE, EXACTLY_ONCE",
    "REFUSED_WRITE_TAKEN_AS_DONE, AT_MOST_ONCE",
    "REFUSED_CHILD_TAKEN_AS_SENT, EXACTLY_ONCE",
    "REFUSED_CHILD_TAKEN_AS_SENT, AT_MOST_ONCE",
    "REFUSED_RESULTS_TAKEN_AS_STORED, EXACTLY_ONCE",
    "REFUSED_RESULTS_TAKEN_AS_STORED, AT_MOST_ONCE",
  })
  void worker_that_takes_a_refusal_for_done_is_found_by_what_a_user_sees(
      Bug bug, Consistency mode) {
    for (long seed = 1; seed <= MOST_SEEDS; seed++) {
      Chaos chaos = Chaos.of(seed, mode).withRefusals(seed);
      try {
        Outcome unused = Simulation.run(chaos.setup().with(bug.twist()), chaos.script());
      } catch (Violation found) {
        System.out.printf(
            Locale.ROOT, "%s, %s: seed %d: %s%n", bug, mode.label(), seed, found.getMessage());
        return;
      } catch (IllegalArgumentException noticed) {
        // A machine noticed what cannot be: its worker would end, and no promise was broken yet.
        continue;
      }
    }
    throw new AssertionError(
        "%d seeds did not find %s in %s".formatted(MOST_SEEDS, bug, mode.label()));
  }

  private static Scenario tasks(Consistency mode) {
    return new Scenario("refused", mode, 4, Collections.nCopies(24, 500));
  }

  private static void deny(Simulation simulation, Permission permission, String to, long millis) {
    simulation
        .world()
        .cloud()
        .refusals()
        .deny(permission, to::equals, millis == 0 ? Long.MAX_VALUE : millis * 1000);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void worker_that_may_never_write_claims_costs_no_task_and_ends_itself(Consistency mode) {
    List<SimWorker> workers = new ArrayList<>();
    Ran ran =
        Ran.calm(
            tasks(mode),
            1,
            "no claims for w1",
            simulation -> {
              deny(simulation, Permission.WRITE_CLAIMS, "w1", 0);
              workers.add(simulation.join(2));
              workers.add(simulation.join(2));
              simulation.notOverBefore(2 * SICK_TIMEOUT * 1000);
            });

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(24);
    assertThat(workers).extracting(SimWorker::left).containsExactly(true, false);
  }

  @Test
  void results_that_may_not_be_sent_reach_the_client_through_the_bucket() {
    Ran ran =
        Ran.calm(
            tasks(Consistency.EXACTLY_ONCE),
            1,
            "no results from w1",
            simulation -> {
              deny(simulation, Permission.SEND_RESULTS, "w1", 0);
              SimWorker unused = simulation.join(2);
            });

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(24);
  }

  @Test
  void results_that_may_go_nowhere_are_delivered_once_that_is_over() {
    long hidden = 600_000;
    Ran ran =
        Ran.calm(
            tasks(Consistency.EXACTLY_ONCE),
            1,
            "no results and no bucket for w1",
            simulation -> {
              deny(simulation, Permission.SEND_RESULTS, "w1", 90_000);
              deny(simulation, Permission.PUT_OBJECTS, "w1", 90_000);
              SimWorker unused = simulation.join(2);
            });

    assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(24);
    assertThat(ran.lastResultMillis()).isGreaterThan(hidden);
  }
}
