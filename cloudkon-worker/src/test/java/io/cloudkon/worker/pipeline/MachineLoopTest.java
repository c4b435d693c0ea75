package io.cloudkon.worker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MachineLoopTest {
  private final ManualTime time = new ManualTime();
  private final Deque<String> events = new ArrayDeque<>();
  private final List<String> seen = new ArrayList<>();
  private final List<Long> waits = new ArrayList<>();
  private long eventMillis;
  private long decidesInNanos = MachineLoop.TICK_NANOS;

  /** An event comes at once; otherwise the whole wait passes. */
  private @Nullable String poll(long nanos) {
    waits.add(nanos);
    String event = events.poll();
    if (event == null) {
      time.advance(Duration.ofNanos(nanos));
    }
    return event;
  }

  private void runUntil(int all) throws InterruptedException {
    MachineLoop.run(
        new MachineLoop.Machines<String>() {
          @Override
          public boolean ended() {
            return seen.size() >= all;
          }

          @Override
          public void on(String event) {
            seen.add(event);
            time.advanceMillis(eventMillis);
          }

          @Override
          public void tick() {
            seen.add("tick");
          }

          @Override
          public long decidesInNanos() {
            return decidesInNanos;
          }
        },
        this::poll,
        time);
  }

  @Test
  void ticks_come_every_50_ms_where_nothing_happens() throws Exception {
    runUntil(3);

    assertThat(seen).containsOnly("tick");
    assertThat(time.monotonicNanos()).isEqualTo(2 * MachineLoop.TICK_NANOS);
  }

  @Test
  void ticks_are_not_late_because_events_wait() throws Exception {
    eventMillis = 20;
    events.addAll(List.of("1", "2", "3", "4", "5", "6"));

    runUntil(9);

    assertThat(seen).containsExactly("tick", "1", "2", "3", "tick", "4", "5", "6", "tick");
  }

  @Test
  void tick_comes_when_the_machines_must_decide() throws Exception {
    decidesInNanos = 1_000_000;

    runUntil(3);

    assertThat(waits).containsOnly(1_000_000L);
  }

  @Test
  void machines_that_have_ended_are_not_asked_again() throws Exception {
    runUntil(0);

    assertThat(seen).isEmpty();
    assertThat(waits).isEmpty();
  }
}
