package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import io.cloudkon.simulator.fleet.SimWorker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault that has a name, alone, in each mode, over a few timings. */
class NamedFaultsTest {
  private static final int TIMINGS = 10;

  private static List<Scenario> scenarios(Consistency mode) {
    return List.of(Scenario.plain(mode), Scenario.handedOn(mode));
  }

  /** Two workers that nobody disturbs. */
  private static List<Ran> undisturbed(Consistency mode, FaultSettings faults, String title) {
    List<Ran> all = new ArrayList<>();
    for (Scenario scenario : scenarios(mode)) {
      for (long seed = 1; seed <= TIMINGS; seed++) {
        all.add(
            Ran.of(
                scenario,
                seed,
                faults,
                title,
                simulation -> {
                  simulation.join(2);
                  simulation.join(2);
                }));
      }
    }
    return all;
  }

  private static void eachTaskStartedOnce(List<Ran> all) {
    for (Ran ran : all) {
      assertThat(ran.count(TaskStatus.SUCCEEDED)).isEqualTo(ran.scenario().size());
      for (int ordinal = 0; ordinal < ran.scenario().size(); ordinal++) {
        if (ran.scenario().consistency().claims()) {
          assertThat(ran.startsOf(ordinal)).as("starts of %d", ordinal).isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void two_copies_of_every_message_at_two_workers_run_once(Consistency mode) {
    eachTaskStartedOnce(undisturbed(mode, Faulty.everyMessageTwice(), "twice"));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void worker_whose_clock_was_set_ahead_takes_over_no_lease_that_lives(Consistency mode) {
    List<Ran> all = new ArrayList<>();
    for (Scenario scenario : scenarios(mode)) {
      for (long seed = 1; seed <= TIMINGS; seed++) {
        all.add(
            Ran.of(
                scenario,
                seed,
                Faulty.everyMessageTwice(),
                "leap",
                simulation -> {
                  simulation.join(2);
                  simulation.join(2).process().clockLeaps(30_000, 5_000);
                }));
      }
    }
    eachTaskStartedOnce(all);
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void message_replayed_after_done_runs_no_more(Consistency mode) {
    eachTaskStartedOnce(undisturbed(mode, Faulty.everyMessageReplayed(), "replayed"));
  }

  static Stream<Arguments> calls() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode -> Arrays.stream(Call.values()).map(call -> Arguments.of(mode, call)));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void every_second_answer_lost_after_its_effect_changes_nothing(Consistency mode, Call call) {
    FaultSettings faults = Faulty.odds(Set.of(call), new Odds(0, 0.5, 0, 0));
    eachTaskStartedOnce(undisturbed(mode, faults, "lost " + call));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void older_write_that_comes_late_changes_nothing(Consistency mode) {
    FaultSettings faults = Faulty.odds(Set.of(Call.CLAIM_WRITE), new Odds(0, 0, 0.4, 0.4));
    eachTaskStartedOnce(undisturbed(mode, faults, "late writes"));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void older_write_of_a_run_that_comes_late_changes_nothing(Consistency mode) {
    FaultSettings faults = Faulty.odds(Set.of(Call.RUN_WRITE), new Odds(0, 0, 0.4, 0.4));
    eachTaskStartedOnce(undisturbed(mode, faults, "late writes of runs"));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void queues_that_throttle_half_of_their_calls_are_lived_with(Consistency mode) {
    FaultSettings faults = Faulty.odds(Faulty.sqs(), new Odds(0.5, 0, 0, 0));
    eachTaskStartedOnce(undisturbed(mode, faults, "throttled"));
  }

  static Stream<Arguments> outages() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode ->
            Stream.of(Faulty.sqs(), Faulty.dynamo(), EnumSet.allOf(Call.class))
                .flatMap(which ->
                    Stream.of(0L, 60L, 300L, 4_000L).map(from -> Arguments.of(mode, which, from))));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void twenty_seconds_without_a_service_are_survived(Consistency mode, Set<Call> which, long from) {
    assertThat(undisturbed(mode, Faulty.outage(which, from), "outage")).hasSize(2 * TIMINGS);
  }

  static Stream<Arguments> pauses() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode ->
            Stream.of(14_000L, 16_000L, 18_000L, 40_000L)
                .flatMap(
                    millis -> Stream.of(true, false).map(all -> Arguments.of(mode, millis, all))));
  }

  @ParameterizedTest
  @MethodSource("pauses")
  void worker_stopped_past_its_lease_and_continued_does_no_harm(
      Consistency mode, long millis, boolean withMachine) {
    for (Scenario scenario : scenarios(mode)) {
      for (long seed = 1; seed <= 3 * TIMINGS; seed++) {
        long at = 20 + seed * 11;
        Ran unused =
            Ran.calm(
                scenario,
                seed,
                "stopped at " + at,
                simulation -> {
                  SimWorker first = simulation.join(2);
                  simulation.notOverBefore((at + millis) * 1000);
                  Ran.in(simulation, at, () -> first.process().pause(millis, withMachine));
                  Ran.in(simulation, at + 50, () -> simulation.join(2));
                });
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void cancelled_run_leaves_nothing_behind(Consistency mode) {
    for (long seed = 1; seed <= 4 * TIMINGS; seed++) {
      long at = 20 * seed;
      Ran ran =
          Ran.of(
              Scenario.drained(mode),
              seed,
              Faulty.storm(30),
              "cancelled",
              simulation -> {
                simulation.join(2);
                simulation.join(1);
                Ran.in(simulation, at, () -> simulation.cancel(0));
              });
      assertThat(ran.outcome().tasks()).isEqualTo(ran.scenario().size());
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void response_queue_that_is_removed_at_any_moment_is_replaced(Consistency mode) {
    for (Scenario scenario : scenarios(mode)) {
      for (long seed = 1; seed <= 3 * TIMINGS; seed++) {
        long at = 20 + seed * 13;
        Ran ran =
            Ran.calm(
                scenario,
                seed,
                "queue removed at " + at,
                simulation -> {
                  simulation.join(2);
                  Ran.in(simulation, at, () -> simulation.removeQueue(0));
                });
        assertThat(ran.outcome().tasks()).isEqualTo(scenario.size());
      }
    }
  }
}
