package io.cloudkon.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final TokenBucket bucket = new TokenBucket(100);

  private int taken(int times, long now) {
    int taken = 0;
    for (int i = 0; i < times; i++) {
      taken += bucket.take(1, now) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void as_many_as_a_second_brings_may_pass_at_once() {
    assertThat(taken(150, 0)).isEqualTo(100);
    assertThat(taken(10, 9_999)).isZero();
    assertThat(taken(10, 50_000)).isEqualTo(5);
  }

  @Test
  void what_is_not_used_is_saved_for_no_longer_than_a_second() {
    assertThat(taken(100, 0)).isEqualTo(100);
    assertThat(taken(1_000, 3_600_000_000L)).isEqualTo(100);
  }

  @Test
  void what_may_not_pass_takes_nothing() {
    assertThat(bucket.take(99, 0)).isTrue();
    assertThat(bucket.take(2, 0)).isFalse();
    assertThat(bucket.take(1, 0)).isTrue();
  }
}
