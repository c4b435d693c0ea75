package io.cloudkon.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import java.time.Duration;
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
  private static final Set<Operation> USED =
      EnumSet.of(
          Operation.REQUEST_SEND,
          Operation.REQUEST_RECEIVE,
          Operation.REQUEST_DELETE,
          Operation.REQUEST_VISIBILITY,
          Operation.RESPONSE_SEND,
          Operation.RESPONSE_RECEIVE,
          Operation.RESPONSE_DELETE,
          Operation.CLAIM_ACQUIRE,
          Operation.CLAIM_WRITE,
          Operation.CLAIM_READ);

  private static List<Scenario> scenarios(Consistency mode) {
    return List.of(Scenarios.plain(mode), Scenarios.handedOn(mode));
  }

  /** Two workers that nobody disturbs; gives the worlds as they ended. */
  private static List<World> undisturbed(
      Consistency mode, Misbehaviour misbehaviour, String title) {
    return scenarios(mode).stream()
        .flatMap(scenario ->
            Stream.iterate(1L, seed -> seed <= TIMINGS, seed -> seed + 1)
                .map(seed ->
                    Runs.run(
                        scenario,
                        Settings.stormy(seed, misbehaviour.withSeed(seed), 30_000),
                        title,
                        world -> {
                          SimWorker unused = world.join(2, CrashPoint.NEVER);
                          unused = world.join(2, CrashPoint.NEVER);
                        })))
        .toList();
  }

  private static void eachTaskStartedOnce(List<World> worlds) {
    for (World world : worlds) {
      assertThat(world.client.count(TaskStatus.SUCCEEDED)).isEqualTo(world.scenario.tasks());
      for (int ordinal = 0; ordinal < world.scenario.tasks(); ordinal++) {
        if (world.scenario.consistency().claims()) {
          assertThat(world.witness.startsOf(ordinal)).as("starts of %d", ordinal).isEqualTo(1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void two_copies_of_every_message_at_two_workers_run_once(Consistency mode) {
    eachTaskStartedOnce(undisturbed(mode, Misbehaviour.everyMessageTwice().withLateBy(0), "twice"));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void message_replayed_after_done_runs_no_more(Consistency mode) {
    eachTaskStartedOnce(
        undisturbed(mode, Misbehaviour.everyMessageReplayed().withLateBy(3), "replayed"));
  }

  static Stream<Arguments> operations() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode -> USED.stream().map(operation -> Arguments.of(mode, operation)));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void every_second_answer_lost_after_its_effect_changes_nothing(
      Consistency mode, Operation operation) {
    eachTaskStartedOnce(
        undisturbed(mode, Misbehaviour.none().with(Fate.ANSWER_LOST, 0.5, operation), "lost"));
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void older_write_that_comes_late_changes_nothing(Consistency mode) {
    Misbehaviour late =
        Misbehaviour.none()
            .with(Fate.EFFECT_LATE, 0.4, Operation.CLAIM_WRITE)
            .with(Fate.COPIED, 0.4, Operation.CLAIM_WRITE)
            .withLateBy(4);
    eachTaskStartedOnce(undisturbed(mode, late, "late writes"));
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void request_queue_that_throttles_half_of_its_calls_is_lived_with(Consistency mode) {
    Misbehaviour throttled =
        Misbehaviour.none().with(Fate.THROTTLED, 0.5, Operation.sqs()).withLateBy(0);
    eachTaskStartedOnce(undisturbed(mode, throttled, "throttled"));
  }

  static Stream<Arguments> outages() {
    return Arrays.stream(Consistency.values())
        .flatMap(mode ->
            Stream.of(Operation.sqs(), Operation.dynamodb(), EnumSet.allOf(Operation.class))
                .flatMap(which ->
                    Stream.of(0L, 60L, 300L, 4_000L).map(from -> Arguments.of(mode, which, from))));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void twenty_seconds_without_a_service_are_survived(
      Consistency mode, Set<Operation> which, long from) {
    Misbehaviour outage =
        Misbehaviour.none()
            .withOutage(Duration.ofMillis(from), Duration.ofMillis(from + 20_000), which);
    assertThat(undisturbed(mode, outage, "outage")).hasSize(2 * TIMINGS);
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
        World unused =
            Runs.run(
                scenario,
                Settings.calm(seed),
                "stopped at " + at,
                world -> {
                  SimWorker first = world.join(2, CrashPoint.NEVER);
                  world.agenda.in(at, () -> first.pause(millis, withMachine));
                  world.agenda.in(at + 50, () -> world.join(2, CrashPoint.NEVER));
                });
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void cancelled_run_leaves_nothing_in_the_queue(Consistency mode) {
    for (long seed = 1; seed <= 4 * TIMINGS; seed++) {
      World unused =
          Runs.run(
              Scenarios.random(mode, seed),
              Settings.stormy(seed, Misbehaviour.storm(seed), 30_000),
              "cancelled",
              world -> {
                SimWorker first = world.join(2, CrashPoint.NEVER);
                SimWorker second = world.join(1, CrashPoint.NEVER);
                world.agenda.in(
                    300,
                    () -> {
                      world.client.cancel();
                      world.agenda.in(1_000, first::runClosed);
                      world.agenda.in(2_000, second::runClosed);
                    });
              });
    }
  }
}
