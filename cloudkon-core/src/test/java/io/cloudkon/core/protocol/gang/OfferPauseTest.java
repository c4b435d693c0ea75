package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OfferPauseTest {
  private final OfferPause pause = new OfferPause();

  @Test
  void pause_doubles_up_to_a_minute() {
    long now = 0;
    for (long expected : new long[] {5_000, 10_000, 20_000, 40_000, 60_000, 60_000}) {
      assertThat(pause.pauses(now)).isFalse();
      assertThat(pause.unreached(now)).isEqualTo(expected);
      assertThat(pause.pauses(now + expected - 1)).isTrue();
      now += expected;
    }
  }

  @Test
  void several_managers_that_say_so_at_once_count_once() {
    assertThat(pause.unreached(0)).isEqualTo(5_000);
    assertThat(pause.unreached(100)).isZero();

    assertThat(pause.unreached(5_000)).isEqualTo(10_000);
  }

  @Test
  void manager_that_can_call_ends_the_pause_and_the_next_one_is_short() {
    assertThat(pause.unreached(0)).isEqualTo(5_000);

    pause.reached();

    assertThat(pause.pauses(1)).isFalse();
    assertThat(pause.unreached(1)).isEqualTo(5_000);
  }
}
