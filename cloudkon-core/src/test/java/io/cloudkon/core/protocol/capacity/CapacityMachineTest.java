package io.cloudkon.core.protocol.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapacityMachineTest {
  private final Ledger ledger = new Ledger();
  private final List<CapacityEffect> effects = new ArrayList<>();
  private Moment now = new Moment(10_000, 3_000_000);
  private long tokens;
  private final CapacityMachine machine =
      new CapacityMachine(
          new CapacitySettings("me", 4, LeaseSettings.DEFAULT, 2_000), () -> "t" + ++tokens);

  private void take(List<CapacityEffect> of) {
    for (CapacityEffect effect : of) {
      effects.add(effect);
      if (effect instanceof CapacityEffect.Change change) {
        boolean made = LedgerRules.change(ledger, change.change());
        take(machine.changed(change.change().token(), made, now));
      }
    }
  }

  private void later(long millis) {
    now = now.plus(millis);
    take(machine.tick(now));
  }

  private Share gang(String id, long leaseEnd) {
    return Share.ofGang(id, "me", 2, "run/e/0", leaseEnd);
  }

  private <E> E last(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList().getLast();
  }

  @Test
  void worker_joins_renews_and_leaves() {
    later(0);
    assertThat(machine.phase()).isEqualTo(CapacityPhase.IN);
    later(5_000);
    assertThat(last(CapacityEffect.Renew.class).share().leaseEnd())
        .isEqualTo(now.service() + 15_000);
    take(machine.leave());

    assertThat(machine.phase()).isEqualTo(CapacityPhase.LEFT);
    assertThat(ledger.counter()).isEqualTo(LedgerCounter.NONE);
  }

  @Test
  void worker_that_leaves_waits_for_a_ledger_that_is_away_for_a_heartbeat_and_no_longer() {
    later(0);
    List<CapacityEffect> asked = machine.leave();
    List<CapacityEffect> early = new ArrayList<>(machine.tick(now));
    early.addAll(machine.tick(now.plus(4_999)));
    assertThat(machine.phase()).isEqualTo(CapacityPhase.LEAVING);
    assertThat(machine.settled()).isFalse();

    var unused = machine.tick(now.plus(5_000));

    assertThat(machine.phase()).isEqualTo(CapacityPhase.LEFT);
    assertThat(machine.settled()).isTrue();
    assertThat(early).noneMatch(CapacityEffect.Renew.class::isInstance);
    // An answer that comes late changes nothing, and nothing is asked again.
    String token = ((CapacityEffect.Change) asked.getFirst()).change().token();
    assertThat(machine.changeFailed(token)).isEmpty();
    assertThat(machine.changed(token, true, now)).isEmpty();
  }

  @Test
  void worker_that_leaves_before_its_join_was_answered_does_not_wait_for_that_either() {
    var unused = machine.tick(now);
    assertThat(machine.leave()).isEmpty();
    unused = machine.tick(now);
    assertThat(machine.phase()).isEqualTo(CapacityPhase.WITHDRAWING);

    unused = machine.tick(now.plus(5_000));

    assertThat(machine.phase()).isEqualTo(CapacityPhase.LEFT);
    assertThat(machine.settled()).isTrue();
  }

  @Test
  void worker_that_leaves_stays_as_long_as_it_has_a_gang() {
    later(0);
    take(machine.admit(List.of(gang("g", now.service() + 15_000))));
    take(machine.leave());
    later(0);
    later(60_000);
    assertThat(machine.settled()).isFalse();

    var unused = machine.free("g"); // and nobody answers
    unused = machine.tick(now);
    unused = machine.tick(now.plus(4_999));
    assertThat(machine.settled()).isFalse();
    unused = machine.tick(now.plus(5_000));

    assertThat(machine.settled()).isTrue();
  }

  @Test
  void waiting_job_of_a_dead_worker_is_swept_a_lease_after_its_own() {
    later(0);
    ledger.put(new Waiting("run/e/1", 3, 1, "dead", now.service() - 17_001));
    take(machine.viewed(ledger.view(), now));
    assertThat(effects).contains(new CapacityEffect.RemoveWaiting("run/e/1", "dead"));
    effects.clear();

    ledger.put(new Waiting("run/e/1", 3, 1, "dead", now.service() - 16_999));
    take(machine.viewed(ledger.view(), now));

    assertThat(effects).noneMatch(CapacityEffect.RemoveWaiting.class::isInstance);
  }

  @Test
  void worker_that_was_swept_joins_anew() {
    later(0);
    take(machine.renewed("worker/me", false));
    assertThat(machine.phase()).isEqualTo(CapacityPhase.OUT);
    later(50);
    assertThat(machine.phase()).isEqualTo(CapacityPhase.OUT);
    later(15_000);

    assertThat(machine.phase()).isEqualTo(CapacityPhase.IN);
  }

  @Test
  void change_whose_answer_was_lost_is_made_again_under_its_token_and_happens_once() {
    List<CapacityEffect> asked = machine.tick(now);
    CapacityEffect.Change join = (CapacityEffect.Change) asked.getFirst();
    assertThat(LedgerRules.change(ledger, join.change())).isTrue();

    List<CapacityEffect> again = machine.changeFailed(join.change().token());

    assertThat(again).containsExactly(join);
    take(again);
    assertThat(machine.phase()).isEqualTo(CapacityPhase.IN);
    assertThat(ledger.counter().free()).isEqualTo(4);
    assertThat(machine.changeFailed(join.change().token())).isEmpty();
  }

  @Test
  void gang_is_admitted_freed_and_an_answer_that_comes_twice_changes_nothing() {
    later(0);
    take(machine.admit(List.of(gang("g", now.service() + 15_000))));
    assertThat(ledger.counter().free()).isEqualTo(2);
    String token = last(CapacityEffect.Change.class).change().token();
    take(machine.changed(token, true, now));
    take(machine.free("g"));
    take(machine.free("g"));

    assertThat(ledger.counter().free()).isEqualTo(4);
    assertThat(machine.settled()).isTrue();
  }

  @Test
  void expired_shares_are_swept_those_of_the_dead_and_those_that_nobody_here_knows() {
    later(0);
    long old = now.service() - 3_000;
    take(List.of());
    assertThat(
            LedgerRules.change(ledger, new LedgerChange.Join("d", Share.ofWorker("dead", 2, old))))
        .isTrue();
    assertThat(
            LedgerRules.change(
                ledger, new LedgerChange.Admit("late", List.of(gang("unknown", old)), 0)))
        .isTrue();

    take(machine.viewed(ledger.view(), now));

    assertThat(ledger.view().shares()).extracting(Share::id).containsExactly("me");
    assertThat(ledger.counter().free()).isEqualTo(4);
  }

  @Test
  void gang_whose_share_is_gone_is_told_lost() {
    later(0);
    take(machine.admit(List.of(gang("g", now.service() + 15_000))));
    take(machine.renewed("gang/g", false));

    assertThat(last(CapacityEffect.Lost.class).gang()).isEqualTo("g");
    assertThat(machine.settled()).isTrue();
  }

  @Test
  void expired_reservation_of_another_is_swept_and_ones_own_is_renewed() {
    later(0);
    Reservation dead = Reservation.of("run/e/9", 2, "dead", now.service() - 3_000);
    assertThat(LedgerRules.change(ledger, new LedgerChange.Reserve("r", dead))).isTrue();
    take(machine.viewed(ledger.view(), now));
    assertThat(ledger.counter().reserved()).isZero();

    take(machine.reserve(new Waiting("run/e/0", 3, 1, "me", Long.MAX_VALUE), now));
    assertThat(ledger.counter().reserved()).isEqualTo(3);
    later(5_000);
    assertThat(last(CapacityEffect.RenewReservation.class).job()).isEqualTo("run/e/0");
    take(machine.unreserve("run/e/0"));
    assertThat(ledger.counter().reserved()).isZero();
  }

  private <E> long count(Class<E> kind) {
    return effects.stream().filter(kind::isInstance).count();
  }

  /** The ledger is read as the machine wants it to be, for so long. */
  private void readOn(long millis) {
    for (long left = millis; left > 0; left -= 50) {
      int seen = effects.size();
      later(50);
      for (CapacityEffect effect : List.copyOf(effects.subList(seen, effects.size()))) {
        switch (effect) {
          case CapacityEffect.View view -> take(machine.viewed(ledger.view(), now));
          case CapacityEffect.Look look -> take(machine.looked(null, ledger.reservation(), now));
          case CapacityEffect.LookForRoom look ->
              take(machine.looked(ledger.counter(), ledger.reservation(), now));
          default -> {} // no read
        }
      }
    }
  }

  private void join(int workers) {
    for (int i = 0; i < workers; i++) {
      Share other = Share.ofWorker("w" + i, 1, Long.MAX_VALUE / 2);
      assertThat(LedgerRules.change(ledger, new LedgerChange.Join("j" + i, other))).isTrue();
    }
  }

  /** Its next turn to read all of the ledger is many seconds away. */
  private void amongMany() {
    join(200);
    readOn(60_000);
    machine.look();
    readOn(60_000);
    effects.clear();
  }

  @Test
  void whoever_was_refused_among_few_reads_all_of_the_ledger_at_once_and_twice_a_second() {
    join(3);
    readOn(5_000);
    effects.clear();

    take(machine.admit(List.of(Share.ofGang("j", "me", 20, "run/e/1", 1))));
    assertThat(last(CapacityEffect.Refused.class).gangs()).hasSize(1);
    readOn(50);

    assertThat(count(CapacityEffect.View.class)).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      machine.look();
      readOn(50);
    }
    assertThat(count(CapacityEffect.View.class)).isEqualTo(3);
    assertThat(count(CapacityEffect.LookForRoom.class)).isZero();
  }

  @Test
  void whoever_waits_among_many_reads_the_sums_alone() {
    amongMany();
    assertThat(LedgerRules.change(ledger, new LedgerChange.Remove("r", worker("w7"), false)))
        .isTrue();

    machine.look();
    readOn(500);

    assertThat(count(CapacityEffect.LookForRoom.class)).isEqualTo(1);
    assertThat(count(CapacityEffect.View.class)).isZero();
    assertThat(machine.counter()).isEqualTo(ledger.counter());
  }

  private static Share worker(String id) {
    return Share.ofWorker(id, 1, Long.MAX_VALUE / 2);
  }

  @Test
  void looks_of_who_has_the_reservation_do_not_keep_it_from_reading_the_sums() {
    amongMany();
    take(machine.reserve(new Waiting("run/e/0", 3, 1, "me", Long.MAX_VALUE), now));
    effects.clear();
    for (int i = 0; i < 40; i++) {
      machine.look();
      readOn(50);
    }

    assertThat(count(CapacityEffect.Look.class)).isBetween(3L, 8L);
    assertThat(count(CapacityEffect.LookForRoom.class)).isBetween(3L, 4L);
  }

  @Test
  void expired_reservation_is_swept_by_who_looks_and_once() {
    amongMany();
    Reservation dead = Reservation.of("run/e/9", 2, "dead", now.service() - 3_000);
    assertThat(LedgerRules.change(ledger, new LedgerChange.Reserve("r", dead))).isTrue();
    List<CapacityEffect> swept = machine.looked(null, dead, now);

    assertThat(swept)
        .singleElement()
        .isInstanceOfSatisfying(
            CapacityEffect.Change.class,
            change -> assertThat(change.change()).isInstanceOf(LedgerChange.Unreserve.class));
    assertThat(machine.looked(null, dead, now)).isEmpty();
    take(swept);
    assertThat(ledger.reservation()).isNull();
    assertThat(machine.looked(null, null, now)).isEmpty();
  }

  @Test
  void view_that_failed_is_wanted_again() {
    readOn(5_000);
    effects.clear();
    machine.look();
    later(50);
    assertThat(count(CapacityEffect.View.class)).isEqualTo(1);
    take(machine.readFailed());
    later(499);
    assertThat(count(CapacityEffect.View.class)).isEqualTo(1);
    later(1);

    assertThat(count(CapacityEffect.View.class)).isEqualTo(2);
  }

  @Test
  void reservation_is_asked_for_in_the_name_of_who_holds_the_job() {
    later(0);
    take(machine.reserve(new Waiting("run/e/0", 3, 1, "other", Long.MAX_VALUE), now));

    assertThat(ledger.reservation())
        .isEqualTo(Reservation.of("run/e/0", 3, "other", now.service() + 15_000));
    effects.clear();
    later(10_000);
    assertThat(count(CapacityEffect.RenewReservation.class)).isZero();
    take(machine.unreserve("run/e/0"));
    assertThat(ledger.reservation()).isNotNull();
  }
}
