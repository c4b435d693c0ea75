package io.cloudkon.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleMessagesTest {
  private static Message<Integer> message(int body) {
    return new Message<>(body, 1, 0);
  }

  @Test
  void without_disorder_the_oldest_is_taken() {
    VisibleMessages<Integer> visible = new VisibleMessages<>(1, new SplittableRandom(1));
    for (int i = 0; i < 200; i++) {
      visible.add(message(i));
    }

    for (int i = 0; i < 200; i++) {
      assertThat(visible.take().body).isEqualTo(i);
    }
    assertThat(visible.size()).isZero();
    assertThatThrownBy(visible::take).isInstanceOf(IllegalStateException.class);
  }

  /** Against a plain list: each is taken once, and only from among the oldest. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void random_takes_give_each_message_once_from_among_the_oldest(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int among = 8;
    VisibleMessages<Integer> visible = new VisibleMessages<>(among, random.split());
    List<Integer> oldestFirst = new ArrayList<>();
    List<Integer> taken = new ArrayList<>();
    int made = 0;
    while (taken.size() < 3_000) {
      if (made < 3_000 && random.nextInt(100) < 55) {
        visible.add(message(made));
        oldestFirst.add(made++);
      } else if (visible.size() > 0) {
        int got = visible.take().body;
        int window = Math.min(among, oldestFirst.size());
        int place = oldestFirst.subList(0, window).indexOf(got);
        assertThat(place).as("%d in %s", got, oldestFirst).isNotNegative();
        // As the ring has it: the oldest takes the place of the one that is taken.
        oldestFirst.set(place, oldestFirst.getFirst());
        oldestFirst.removeFirst();
        taken.add(got);
      }
      assertThat(visible.size()).isEqualTo(oldestFirst.size());
    }
    assertThat(taken).doesNotHaveDuplicates().isNotEqualTo(taken.stream().sorted().toList());
    List<Integer> rest = new ArrayList<>();
    visible.forEach(message -> rest.add(message.body));
    assertThat(rest).isEqualTo(oldestFirst);
  }
}
