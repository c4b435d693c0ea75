package io.cloudkon.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimProcessTest {
  private final Timeline timeline = new Timeline();
  private final List<String> seen = new ArrayList<>();

  private SimProcess process(CrashPoint crash, SimProcess.Clocks clocks, long seed) {
    return new SimProcess(
        timeline, new Trace(timeline, null), new SplittableRandom(seed), "p", crash, clocks);
  }

  private SimProcess process(CrashPoint crash) {
    return process(crash, SimProcess.Clocks.RIGHT, 1);
  }

  private void effect(SimProcess process, String what) {
    process.effect(() -> what, () -> seen.add(what));
  }

  /** Lets so many microseconds pass, and what falls into them happen. */
  private void pass(long micros) {
    boolean[] there = new boolean[1];
    timeline.in(micros, () -> there[0] = true);
    while (!there[0]) {
      timeline.step();
    }
  }

  private List<String> toTheEnd() {
    while (!timeline.isEmpty()) {
      timeline.step();
    }
    return seen;
  }

  @ParameterizedTest
  @CsvSource({"1, false, 0", "1, true, 1", "3, false, 2", "3, true, 3", "5, true, 5", "6, true, 5"})
  void process_that_dies_at_an_effect_has_those_before_it_and_at_most_that_one(
      int effect, boolean after, int takePlace) {
    SimProcess process = process(CrashPoint.dies(effect, after));
    List<String> stops = new ArrayList<>();
    process.onStop(() -> stops.add("at effect " + process.effects()));

    for (int i = 1; i <= 5; i++) {
      effect(process, "effect " + i);
    }

    assertThat(seen).hasSize(takePlace);
    assertThat(process.dead()).isEqualTo(effect <= 5);
    assertThat(stops).hasSize(effect <= 5 ? 1 : 0);
    assertThat(process.effects()).isEqualTo(Math.min(effect, 5));
  }

  @Test
  void process_that_never_stops_counts_its_effects() {
    SimProcess process = process(CrashPoint.NEVER);

    IntStream.range(0, 7).forEach(i -> effect(process, "effect"));

    assertThat(process.effects()).isEqualTo(7);
    assertThat(process.dead()).isFalse();
  }

  @Test
  void dead_process_gets_nothing_any_more() {
    SimProcess process = process(CrashPoint.NEVER);
    List<String> stops = new ArrayList<>();
    process.onStop(() -> stops.add("stop"));
    process.in(10, () -> seen.add("timer"));
    timeline.in(10, () -> process.reachesService(() -> "call", () -> seen.add("call")));

    process.die();
    process.die();
    process.in(5, () -> seen.add("timer after death"));
    effect(process, "effect");

    assertThat(toTheEnd()).isEmpty();
    assertThat(stops).hasSize(1);
  }

  @Test
  void what_comes_while_a_process_is_stopped_happens_in_order_once_it_goes_on() {
    SimProcess process = process(CrashPoint.NEVER);
    process.onResume(() -> seen.add("resumed at " + timeline.now()));
    process.in(1_000, () -> seen.add("one"));
    process.in(
        2_000,
        () -> {
          seen.add("two");
          process.in(0, () -> seen.add("after two"));
        });
    process.in(3_000, () -> seen.add("three"));
    process.in(8_000, () -> seen.add("eight"));

    process.pause(5, false);
    pass(4_000);
    assertThat(seen).isEmpty();
    assertThat(process.paused()).isTrue();

    assertThat(toTheEnd())
        .containsExactly("resumed at 5000", "one", "two", "three", "after two", "eight");
    assertThat(process.paused()).isFalse();
  }

  @Test
  void pause_of_a_process_that_is_stopped_or_dead_changes_nothing() {
    SimProcess process = process(CrashPoint.NEVER);
    process.pause(5, false);
    process.pause(50, false);
    process.in(0, () -> seen.add("at " + timeline.now()));
    assertThat(toTheEnd()).containsExactly("at 5000");

    process.die();
    process.pause(5, false);

    assertThat(timeline.isEmpty()).isTrue();
    assertThat(process.paused()).isFalse();
  }

  @Test
  void process_that_dies_while_it_is_stopped_does_nothing_of_what_waits() {
    SimProcess process = process(CrashPoint.NEVER);
    process.onResume(() -> seen.add("resumed"));
    process.pause(5, false);
    process.in(1_000, () -> seen.add("waits"));
    timeline.in(2_000, process::die);

    assertThat(toTheEnd()).isEmpty();
  }

  @Test
  void process_stopped_anew_while_it_catches_up_leaves_the_rest_for_later() {
    SimProcess process = process(CrashPoint.NEVER);
    process.in(
        1_000,
        () -> {
          seen.add("one at " + timeline.now());
          process.pause(5, false);
        });
    process.in(2_000, () -> seen.add("two at " + timeline.now()));

    process.pause(5, false);

    assertThat(toTheEnd()).containsExactly("one at 5000", "two at 10000");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void process_stopped_at_an_effect_makes_it_once_before_or_after_the_stop(boolean after) {
    SimProcess process = process(new CrashPoint(2, after, 5));
    process.onResume(() -> seen.add("resumed"));
    process.onStop(() -> seen.add("stopped"));
    for (int i = 1; i <= 3; i++) {
      String what = "effect " + i;
      process.in(i, () -> effect(process, what));
    }

    toTheEnd();

    assertThat(seen)
        .containsExactlyElementsOf(
            after
                ? List.of("effect 1", "effect 2", "stopped", "resumed", "effect 3")
                : List.of("effect 1", "stopped", "resumed", "effect 2", "effect 3"));
    assertThat(process.dead()).isFalse();
  }

  @Test
  void call_of_a_stopped_process_has_left_it_or_has_not() {
    int early = 0;
    for (int seed = 0; seed < 200; seed++) {
      seen.clear();
      SimProcess process = process(CrashPoint.NEVER, SimProcess.Clocks.RIGHT, seed);
      process.pause(5, false);
      long resumed = timeline.now() + 5_000;
      process.reachesService(() -> "call", () -> seen.add("call"));
      early += seen.size();
      pass(resumed - timeline.now());

      assertThat(seen).containsExactly("call");
    }
    assertThat(early).isBetween(60, 140);
  }

  @Test
  void monotonic_clock_stands_still_while_the_machine_sleeps_and_the_services_clock_does_not() {
    SimProcess process = process(CrashPoint.NEVER);
    pass(10_000);
    process.pause(7, true);
    toTheEnd();
    assertThat(process.now()).isEqualTo(new Moment(10, 17));

    process.pause(20, false);
    toTheEnd();
    pass(3_000);

    assertThat(process.now()).isEqualTo(new Moment(33, 40));
  }

  @Test
  void clocks_err_by_skew_and_drift_as_they_are_set() {
    SimProcess process = process(CrashPoint.NEVER, new SimProcess.Clocks(-250, 0.0002), 1);

    pass(100_000_000);

    assertThat(process.now()).isEqualTo(new Moment(100_020, 99_750));
  }
}
