package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private final List<String> log = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final Refusals refusals = new Refusals(log::add, late -> {}, nanos::get);

  @Test
  void each_peer_is_named_once_a_minute() {
    refusals.say("a", "why", 1);
    refusals.say("a", "why", 2);
    refusals.say("b", "why", 3);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    refusals.say("a", "why", 4);

    assertThat(log)
        .containsExactly(
            "refused a call of a: why; 1 so far",
            "refused a call of b: why; 3 so far",
            "refused a call of a: why; 4 so far");
  }

  @Test
  void of_endless_peers_only_so_many_are_named_in_a_minute() {
    for (int i = 0; i < 10_000; i++) {
      refusals.say("peer " + i, "why", i);
    }
    assertThat(log).hasSize(4096);

    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    refusals.say("late", "why", 10_000);
    assertThat(log).hasSize(4097);
  }
}
