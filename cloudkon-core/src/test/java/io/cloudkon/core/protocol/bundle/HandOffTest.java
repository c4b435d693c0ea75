package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandOffTest {
  private static final String BUNDLE = "run/e/0";

  private static Positions share(HandOff handOff, Positions waiting, long millis) {
    return handOff.cut(waiting, 0, new Moment(millis, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 500, Limits.TASKS_PER_BUNDLE})
  void halves_are_given_until_nothing_waits_by_few_children(int tasks) {
    HandOff handOff = new HandOff(BUNDLE);
    Positions waiting = Positions.range(0, tasks);
    int children = 0;
    while (!waiting.isEmpty()) {
      Positions share = share(handOff, waiting, children * HandOff.PAUSE);
      assertThat(share.size()).isEqualTo((waiting.size() + 1) / 2);
      waiting = waiting.minus(share);
      children++;
    }
    assertThat(children).isLessThanOrEqualTo(13);
  }

  @Test
  void tasks_whose_turn_is_last_are_given() {
    assertThat(share(new HandOff(BUNDLE), Positions.of(2, 5, 7), 0)).isEqualTo(Positions.of(5, 7));
  }

  @Test
  void nothing_is_given_within_a_second_of_the_last_time() {
    HandOff handOff = new HandOff(BUNDLE);
    Positions waiting = Positions.range(0, 10);
    assertThat(share(handOff, waiting, 70).isEmpty()).isFalse();
    assertThat(share(handOff, waiting, 1_069).isEmpty()).isTrue();
    assertThat(share(handOff, waiting, 1_070).isEmpty()).isFalse();
  }

  @Test
  void nothing_waits_nothing_is_given_and_the_next_share_need_not_wait() {
    HandOff handOff = new HandOff(BUNDLE);
    assertThat(share(handOff, Positions.none(), 0).isEmpty()).isTrue();
    assertThat(share(handOff, Positions.of(3), 1)).isEqualTo(Positions.of(3));
  }

  @Test
  void children_nest_no_deeper_than_ids_may() {
    String bundle = BUNDLE;
    while (BundleIds.depth(bundle) < Limits.SPLIT_DEPTH) {
      assertThat(share(new HandOff(bundle), Positions.of(1), 0).isEmpty()).isFalse();
      bundle = BundleIds.child(bundle, 1);
    }
    assertThat(share(new HandOff(bundle), Positions.of(1), 0).isEmpty()).isTrue();
  }
}
