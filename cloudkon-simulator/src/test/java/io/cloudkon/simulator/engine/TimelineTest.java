package io.cloudkon.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
  private final Timeline timeline = new Timeline();
  private final List<String> seen = new ArrayList<>();

  private void toTheEnd() {
    while (!timeline.isEmpty()) {
      timeline.step();
    }
  }

  @Test
  void time_jumps_from_event_to_event() {
    timeline.in(30, () -> seen.add("at " + timeline.now()));
    timeline.in(10, () -> seen.add("at " + timeline.now()));
    assertThat(timeline.now()).isZero();

    timeline.step();
    assertThat(timeline.now()).isEqualTo(10);
    timeline.in(5, () -> seen.add("at " + timeline.now()));
    toTheEnd();

    assertThat(seen).containsExactly("at 10", "at 15", "at 30");
    assertThat(timeline.now()).isEqualTo(30);
    assertThat(timeline.happened()).isEqualTo(3);
  }

  @Test
  void time_that_passes_brings_its_events_and_no_later_ones() {
    timeline.in(10, () -> timeline.in(10, () -> seen.add("at 20")));
    timeline.in(31, () -> seen.add("at 31"));

    timeline.letPass(30);

    assertThat(seen).containsExactly("at 20");
    assertThat(timeline.now()).isEqualTo(30);
  }

  @Test
  void events_of_one_microsecond_happen_in_the_order_in_which_they_were_put_here() {
    timeline.in(
        7,
        () -> {
          seen.add("first");
          timeline.in(0, () -> seen.add("put last"));
        });
    timeline.in(7, () -> seen.add("second"));
    timeline.in(3, () -> timeline.in(4, () -> seen.add("third, put from an earlier event")));

    toTheEnd();

    assertThat(seen)
        .containsExactly("first", "second", "third, put from an earlier event", "put last");
  }

  /** Against a sorted map of times, each with what was put there, oldest first. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void random_entries_happen_as_a_sort_by_time_and_insertion_has_them(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int range = 1 << random.nextInt(1, 20);
    TreeMap<Long, Deque<Integer>> expected = new TreeMap<>();
    List<Integer> happened = new ArrayList<>();
    int made = 0;
    int most = 0;
    int pending = 0;
    while (made < 20_000 || pending > 0) {
      if (made < 20_000 && random.nextInt(1000) < 505) {
        long in = random.nextInt(range);
        int id = made++;
        expected.computeIfAbsent(timeline.now() + in, t -> new ArrayDeque<>()).add(id);
        timeline.in(in, () -> happened.add(id));
        most = Math.max(most, ++pending);
      } else if (pending > 0) {
        long at = expected.firstKey();
        Deque<Integer> there = expected.firstEntry().getValue();
        int next = there.remove();
        if (there.isEmpty()) {
          expected.remove(at);
        }
        timeline.step();
        pending--;
        assertThat(timeline.now()).isEqualTo(at);
        assertThat(happened.getLast()).isEqualTo(next);
      }
    }
    assertThat(timeline.isEmpty()).isTrue();
    assertThat(happened).hasSize(20_000).doesNotHaveDuplicates();
    assertThat(most).as("so deep was the heap").isGreaterThan(20);
  }

  @Test
  void more_entries_than_its_first_arrays_hold_all_happen_in_order() {
    SplittableRandom random = new SplittableRandom(6);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      timeline.in(random.nextInt(1_000_000), () -> times.add(timeline.now()));
    }

    toTheEnd();

    assertThat(times).hasSize(5_000).isSorted();
  }

  @Test
  void nothing_can_be_put_into_the_past() {
    assertThatThrownBy(() -> timeline.in(-1, () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 us ago");
    assertThat(timeline.isEmpty()).isTrue();
  }

  @Test
  void step_with_nothing_left_is_refused() {
    timeline.in(0, () -> {});
    timeline.step();

    assertThat(timeline.isEmpty()).isTrue();
    assertThatThrownBy(timeline::step).isInstanceOf(IllegalStateException.class);
    assertThat(timeline.happened()).isEqualTo(1);
  }
}
