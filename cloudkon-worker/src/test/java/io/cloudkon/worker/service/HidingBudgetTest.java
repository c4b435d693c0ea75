package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HidingBudgetTest {
  private static final long IN_FLIGHT_LIMIT = 120_000;

  private final ManualTime time = new ManualTime();

  @Test
  void worker_hides_a_few_messages_for_each_look_at_the_queue() {
    AtomicInteger looks = new AtomicInteger();
    HidingBudget budget = new HidingBudget(looks::getAndIncrement, time);

    assertThat(hides(budget, 100)).isEqualTo(HidingBudget.PER_LOOK);
    time.advance(HidingBudget.LOOK.minusMillis(1));
    assertThat(hides(budget, 100)).isZero();
    assertThat(looks).hasValue(1);
    time.advance(Duration.ofMillis(1));
    assertThat(hides(budget, 100)).isEqualTo(HidingBudget.PER_LOOK);
    assertThat(looks).hasValue(2);
  }

  @Test
  void nothing_is_hidden_while_half_of_the_limit_is_in_flight_or_nobody_knows() {
    assertThat(hides(new HidingBudget(() -> 60_000, time), 100)).isZero();
    assertThat(hides(new HidingBudget(() -> 59_999, time), 100)).isPositive();
    HidingBudget blind =
        new HidingBudget(
            () -> {
              throw new TransientServiceException("HTTP 503", null);
            },
            time);
    assertThat(hides(blind, 100)).isZero();
  }

  @Test
  void thousand_workers_that_meet_the_messages_of_one_run_leave_room_for_others() {
    Deque<Integer> hiddenBySecond = new ArrayDeque<>();
    Deque<Integer> counts = new ArrayDeque<>(List.of(0));
    List<HidingBudget> fleet = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      fleet.add(new HidingBudget(counts::getFirst, time)); // what SQS says is 5 s old
    }
    int inFlight = 0;
    int most = 0;
    for (int second = 0; second < 1_200; second++) {
      int hidden = 0;
      for (HidingBudget budget : fleet) {
        hidden += hides(budget, 50);
      }
      hiddenBySecond.add(hidden);
      inFlight += hidden;
      if (hiddenBySecond.size() > 600) {
        inFlight -= hiddenBySecond.remove();
      }
      counts.add(inFlight);
      if (counts.size() > 5) {
        counts.remove();
      }
      most = Math.max(most, inFlight);
      time.advance(Duration.ofSeconds(1));
    }

    assertThat(most).isBetween(60_000, (int) IN_FLIGHT_LIMIT - 10_000);
  }

  private static int hides(HidingBudget budget, int offered) {
    int hidden = 0;
    for (int i = 0; i < offered; i++) {
      hidden += budget.take() ? 1 : 0;
    }
    return hidden;
  }
}
