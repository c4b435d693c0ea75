package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fleet's minimum, where many are idle at once. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class IdleFleetTest {
  private static final int WORKERS = 100;
  private static final int MIN = 7;

  /** One question for the minimum, one for each seat, and the last look. */
  private static final int ENOUGH_TICKS = MIN + 5;

  @RepeatedTest(20)
  void hundred_workers_that_decide_at_once_leave_exactly_the_minimum() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(MIN);
      fleet.start(WORKERS);
      List<IdleFleet.Member> all = fleet.members();
      fleet.time.advance(IdleFleet.IDLE);

      fleet.settle(ENOUGH_TICKS);

      assertThat(fleet.members()).hasSize(MIN);
      assertThat(all).allSatisfy(m -> assertThat(m.seats().sits()).isLessThanOrEqualTo(MIN + 1));
      fleet.pass(Duration.ofMinutes(2));
      assertThat(fleet.members()).hasSize(MIN);
    }
  }

  @Test
  void workers_begin_at_different_seats_so_that_most_who_stay_try_few() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(WORKERS);
      fleet.start(WORKERS);
      fleet.time.advance(IdleFleet.IDLE);

      fleet.settle(WORKERS + 5);

      assertThat(fleet.members()).hasSize(WORKERS);
      int calls = fleet.members().stream().mapToInt(member -> member.seats().sits()).sum();
      assertThat(calls).isLessThan(WORKERS * WORKERS / 4);
    }
  }

  @Test
  void fewer_workers_than_the_minimum_all_stay() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(MIN);
      fleet.start(MIN - 2);
      fleet.time.advance(IdleFleet.IDLE);

      fleet.settle(ENOUGH_TICKS);

      assertThat(fleet.members()).hasSize(MIN - 2);
    }
  }

  @Test
  void without_a_provisioner_nobody_stays() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.start(10);
      fleet.time.advance(IdleFleet.IDLE);

      fleet.settle(ENOUGH_TICKS);

      assertThat(fleet.members()).isEmpty();
    }
  }

  @Test
  void workers_whose_provisioner_is_gone_for_good_leave() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(MIN);
      fleet.start(10);
      fleet.pass(IdleFleet.IDLE.plusSeconds(20));
      assertThat(fleet.members()).hasSize(MIN);

      fleet.pass(Duration.ofMinutes(5));

      assertThat(fleet.members()).isEmpty();
      assertThat(fleet.seats()).isEmpty();
    }
  }

  @Test
  void lowered_minimum_lets_the_rest_go_and_a_raised_one_keeps_those_who_come() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(MIN);
      fleet.start(10);
      fleet.pass(IdleFleet.IDLE.plusSeconds(20));

      fleet.minimum(3);
      fleet.pass(Duration.ofSeconds(45));
      assertThat(fleet.members()).hasSize(3);

      fleet.minimum(5);
      fleet.start(10);
      fleet.pass(IdleFleet.IDLE.plusSeconds(20));
      assertThat(fleet.members()).hasSize(5);
    }
  }

  @Test
  void seat_of_a_dead_worker_is_taken_by_one_that_idles_out_after_its_lease() {
    try (IdleFleet fleet = new IdleFleet(Misbehaviour.none())) {
      fleet.minimum(1);
      fleet.start(1);
      fleet.pass(IdleFleet.IDLE.plusSeconds(5));
      assertThat(fleet.seats()).hasSize(1);
      fleet.die(0);

      fleet.start(5);
      fleet.pass(IdleFleet.IDLE.plusSeconds(10));

      assertThat(fleet.members()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void lost_answers_throttling_and_late_effects_leave_exactly_the_minimum(int seed) {
    Misbehaviour faults =
        Misbehaviour.storm(seed)
            .with(Fate.COPIED, 0.1, Operation.SEAT_SIT)
            .with(Fate.EFFECT_LATE, 0.1, Operation.SEAT_SIT);
    try (IdleFleet fleet = new IdleFleet(faults)) {
      fleet.minimum(MIN);
      fleet.start(30);

      fleet.pass(IdleFleet.IDLE.plusSeconds(60));

      assertThat(fleet.members()).hasSize(MIN);
    }
  }

  @Test
  void outage_of_the_table_keeps_everybody_for_its_time() {
    Misbehaviour away =
        Misbehaviour.none().withOutage(Duration.ZERO, Duration.ofMinutes(3), Operation.dynamodb());
    try (IdleFleet fleet = new IdleFleet(away)) {
      fleet.minimum(MIN);
      fleet.start(20);

      fleet.pass(Duration.ofSeconds(170));
      assertThat(fleet.members()).hasSize(20);
      fleet.pass(Duration.ofSeconds(60));
      assertThat(fleet.members()).hasSize(MIN);
    }
  }

  @Test
  void table_that_stays_away_keeps_nobody_for_ever() {
    Misbehaviour away =
        Misbehaviour.none().withOutage(Duration.ZERO, Duration.ofDays(1), Operation.dynamodb());
    try (IdleFleet fleet = new IdleFleet(away)) {
      fleet.minimum(MIN);
      fleet.start(5);

      fleet.pass(IdleFleet.IDLE.plusMinutes(5).plusSeconds(10));

      assertThat(fleet.members()).isEmpty();
    }
  }
}
