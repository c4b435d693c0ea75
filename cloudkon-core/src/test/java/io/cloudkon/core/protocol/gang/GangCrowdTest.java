package io.cloudkon.core.protocol.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What many workers whose jobs wait ask of the ledger, and how soon they get what they wait for.
 */
class GangCrowdTest {
  private static final long PATIENCE = 60_000;

  /** Somebody's turn, and a look of who holds the job. */
  private static final long SOON = 3_000;

  private static final long MINUTE = 60_000;

  @ParameterizedTest(name = "{0} workers read all of it {1} to {2} times a minute, for {3} units/s")
  @CsvSource({"4, 450, 480, 30", "20, 200, 360, 130", "100, 55, 75, 400"})
  void reads_of_all_of_the_ledger_are_shared_by_those_whose_jobs_wait(
      int workers, int fewest, int most, double unitsASecond) {
    GangCrowd crowd = new GangCrowd(workers);
    crowd.receiveEach(8);
    crowd.later(10_000);
    crowd.count();

    crowd.later(MINUTE);

    assertThat(crowd.views.size()).isBetween(fewest, most);
    assertThat(crowd.looksForRoom).isLessThanOrEqualTo(120 * workers);
    assertThat(crowd.readUnits / 60).isLessThan(unitsASecond);
  }

  @Test
  void workers_that_began_together_do_not_read_together() {
    GangCrowd crowd = new GangCrowd(100);
    crowd.receiveEach(8);
    crowd.later(100_000);
    crowd.count();

    crowd.later(MINUTE);

    Map<Long, Integer> bySecond = new TreeMap<>();
    crowd.views.forEach(at -> bySecond.merge(at / 1_000, 1, Integer::sum));
    assertThat(bySecond).hasSizeGreaterThanOrEqualTo(58);
    assertThat(Collections.max(bySecond.values())).isLessThanOrEqualTo(3);
  }

  @Test
  void workers_that_want_nothing_do_not_read_the_sums() {
    GangCrowd crowd = new GangCrowd(100);
    crowd.later(10_000);
    crowd.count();

    crowd.later(MINUTE);

    assertThat(crowd.looksForRoom).isZero();
    assertThat(crowd.looks).isBetween(2_900, 3_000);
    assertThat(crowd.views).hasSizeLessThan(66);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 20, 100})
  void jobs_start_as_soon_as_slots_are_free_without_a_read_of_all_of_the_ledger(int workers) {
    GangCrowd crowd = new GangCrowd(workers);
    crowd.receiveEach(8);
    crowd.later(10_000);
    crowd.count();

    crowd.free(0);

    assertThat(crowd.until(() -> crowd.gangs == 2, 5_000)).isLessThanOrEqualTo(1_100);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 20, 100})
  void job_past_its_patience_gets_the_reservation_soon_whoever_holds_it(int workers) {
    GangCrowd crowd = new GangCrowd(workers);
    int holder = workers / 2;
    crowd.receive(holder, "run/e/oldest", 2);
    crowd.later(1_000);
    crowd.receiveEach(7);
    crowd.later(PATIENCE - 1_000);

    long first = crowd.until(() -> reservedFor(crowd).equals("run/e/oldest"), 200_000);
    assertThat(first).isLessThanOrEqualTo(SOON);
    assertThat(Objects.requireNonNull(crowd.ledger.reservation()).worker())
        .isEqualTo(GangCrowd.name(holder));
    crowd.later(MINUTE);
    assertThat(reservedFor(crowd)).as("it is renewed by who holds it").isEqualTo("run/e/oldest");

    crowd.on(holder, new GangEvent.Drain());
    assertThat(crowd.ledger.reservation()).isNull();
    long next = crowd.until(() -> !reservedFor(crowd).isEmpty(), 200_000);
    assertThat(next).isLessThanOrEqualTo(SOON);
  }

  private static String reservedFor(GangCrowd crowd) {
    @Nullable Reservation reservation = crowd.ledger.reservation();
    return reservation == null ? "" : reservation.job();
  }

  @Test
  void reservation_whose_holder_needs_it_no_more_is_given_back_at_its_next_look() {
    GangCrowd crowd = new GangCrowd(20);
    crowd.receiveEach(1);
    crowd.later(5_000);
    crowd.ledger.put(
        new Waiting("run/e/gone", 2, 2, GangCrowd.name(7), crowd.now.service() + 15_000));

    assertThat(crowd.until(() -> reservedFor(crowd).equals("run/e/gone"), 3_000)).isLessThan(3_000);
    assertThat(crowd.until(() -> !reservedFor(crowd).equals("run/e/gone"), 10_000))
        .isLessThanOrEqualTo(2_000);
  }

  @Test
  void job_whose_worker_died_keeps_its_place_in_the_hands_of_the_next() {
    GangCrowd crowd = new GangCrowd(100);
    crowd.receiveEach(7);
    crowd.later(30_000);
    long since = crowd.now.service() - PATIENCE + 10_000;
    crowd.ledger.put(new Waiting("run/e/old", 2, since, "dead", crowd.now.service() - 1_000));

    crowd.receive(3, "run/e/old", 2);

    assertThat(crowd.until(() -> reservedFor(crowd).equals("run/e/old"), 60_000))
        .isBetween(10_000L, 13_000L);
  }

  @ParameterizedTest
  @CsvSource({"4, 600", "20, 2500", "100, 2500"})
  void slots_of_a_dead_worker_are_swept_soon_after_a_refusal(int workers, long soonMillis) {
    GangCrowd crowd = new GangCrowd(workers);
    crowd.receiveEach(8);
    long dies = crowd.now.service() + 20_000;
    crowd.change(new LedgerChange.Join("dead", Share.ofWorker("dead", 1, dies)));
    crowd.later(22_000);

    long swept =
        crowd.until(
            () ->
                crowd.ledger.view().shares().stream().noneMatch(share -> share.id().equals("dead")),
            200_000);

    assertThat(swept).isLessThanOrEqualTo(soonMillis);
    assertThat(crowd.ledger.counter().free()).isZero();
  }

  @Test
  void job_that_alone_waits_among_many_workers_is_not_bound_to_their_number() {
    GangCrowd crowd = new GangCrowd(20);
    crowd.receive(0, "run/e/alone", 2);
    crowd.later(10_000);
    crowd.count();

    crowd.later(MINUTE);

    // 20 workers, 20 gangs and the job are 41 items: its turn comes every 820 ms.
    assertThat(crowd.views.size()).isBetween(65, 110);
  }

  @Test
  void too_large_is_said_by_a_turn_that_comes_twenty_seconds_later() {
    GangCrowd crowd = new GangCrowd(100);
    crowd.later(40_000);
    crowd.receive(0, "run/e/large", 401);
    crowd.later(2_000);
    assertThat(crowd.ledger.view().waiting()).hasSize(1);

    long rejected = crowd.until(() -> crowd.ledger.view().waiting().isEmpty(), 200_000);

    assertThat(rejected).isBetween(19_000L, 42_000L);
  }
}
