package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Ledgers.LEASE_END;
import static io.cloudkon.core.contract.Ledgers.admit;
import static io.cloudkon.core.contract.Ledgers.admitReserved;
import static io.cloudkon.core.contract.Ledgers.anew;
import static io.cloudkon.core.contract.Ledgers.gang;
import static io.cloudkon.core.contract.Ledgers.join;
import static io.cloudkon.core.contract.Ledgers.leave;
import static io.cloudkon.core.contract.Ledgers.reservation;
import static io.cloudkon.core.contract.Ledgers.reserve;
import static io.cloudkon.core.contract.Ledgers.sorted;
import static io.cloudkon.core.contract.Ledgers.sweep;
import static io.cloudkon.core.contract.Ledgers.token;
import static io.cloudkon.core.contract.Ledgers.unreserve;
import static io.cloudkon.core.contract.Ledgers.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link CapacityLedger} does with shares and the reservation, by example. {@link
 * LedgerRulesContract} adds random histories, {@link LedgerCrowdContract} many callers at a time.
 */
public abstract class CapacityLedgerContract extends PortContract {

  private CapacityLedger ledger() {
    return cluster().hpc().ledger();
  }

  private void made(LedgerChange... changes) {
    for (LedgerChange change : changes) {
      assertThat(ledger().change(change)).as("%s", change).isTrue();
    }
  }

  /** The change is refused, and nothing is different after it. */
  private void refused(LedgerChange change) {
    LedgerView before = view();
    assertThat(ledger().change(change)).as("%s", change).isFalse();
    assertThat(view()).isEqualTo(before);
  }

  private void counts(int free, int reserved) {
    assertThat(ledger().counter()).isEqualTo(new LedgerCounter(free, reserved));
  }

  private LedgerView view() {
    LedgerView view = sorted(ledger().view());
    assertThat(view.counter()).isEqualTo(ledger().counter());
    return view;
  }

  private List<Share> shares() {
    return view().shares();
  }

  private Reservation reserved() {
    return Objects.requireNonNull(view().reservation());
  }

  @Test
  void empty_ledger_has_nothing_and_admits_nobody() {
    assertThat(view()).isEqualTo(LedgerView.EMPTY);

    refused(admit(0, gang("g", "w", 1)));
    refused(leave(worker("w", 1)));
    refused(unreserve(reservation("j", "w", 1)));
    refused(admitReserved(gang("g", "w", 1)));
    assertThat(ledger().renew(worker("w", 1))).isFalse();
    assertThat(ledger().renewReservation("j", "w", LEASE_END)).isFalse();
    assertThat(ledger().keep("j", "w", 0, 1)).isFalse();
    assertThat(view()).isEqualTo(LedgerView.EMPTY);
  }

  @Test
  void join_brings_a_workers_slots() {
    made(join("w1", 4), join("w2", 3));

    counts(7, 0);
    assertThat(shares()).containsExactly(worker("w1", 4), worker("w2", 3));
  }

  @Test
  void join_of_who_is_there_brings_nothing_and_is_true_for_as_many_slots() {
    made(join("w", 4), join("w", 4));
    refused(join("w", 5));

    counts(4, 0);
  }

  @Test
  void admit_takes_slots_as_long_as_there_are_enough() {
    made(join("w1", 2), join("w2", 3));

    refused(admit(0, gang("g1", "w1", 6)));
    made(admit(0, gang("g1", "w1", 4)));
    refused(admit(0, gang("g2", "w2", 2)));
    made(admit(0, gang("g2", "w2", 1)));

    counts(0, 0);
    assertThat(shares())
        .containsExactly(
            gang("g1", "w1", 4), gang("g2", "w2", 1), worker("w1", 2), worker("w2", 3));
  }

  @Test
  void admit_of_several_gangs_is_all_of_them_or_none() {
    made(join("w", 6));

    refused(admit(0, gang("a", "w", 3), gang("b", "w", 2), gang("c", "w", 2)));
    made(admit(0, gang("a", "w", 3), gang("b", "w", 2)));
    refused(admit(0, gang("b", "w", 2), gang("c", "w", 1)));

    counts(1, 0);
    assertThat(shares()).contains(gang("a", "w", 3), gang("b", "w", 2));
  }

  @Test
  void admit_takes_as_many_gangs_as_a_change_may_have() {
    Share[] gangs =
        IntStream.range(0, LedgerChange.MOST_GANGS)
            .mapToObj(i -> gang("g" + i, "w", 2))
            .toArray(Share[]::new);
    made(join("w", 2 * gangs.length));

    made(admit(0, gangs));

    counts(0, 0);
    assertThat(shares()).hasSize(gangs.length + 1);
  }

  @Test
  void admit_of_gangs_that_stand_is_true_for_the_same_owner_and_slots_only() {
    made(join("w", 9), admit(0, gang("a", "w", 3), gang("b", "w", 2)));

    made(admit(0, gang("a", "w", 3), gang("b", "w", 2)), admit(7, gang("b", "w", 2)));
    refused(admit(0, gang("a", "v", 3)));
    refused(admit(0, gang("a", "w", 4)));

    counts(4, 0);
  }

  @Test
  void admit_leaves_what_is_reserved_as_it_was_read() {
    made(join("w", 6), reserve(reservation("j", "w", 4)));

    refused(admit(0, gang("g", "v", 1)));
    refused(admit(5, gang("g", "v", 1)));
    refused(admit(4, gang("g", "v", 3)));
    made(admit(4, gang("g", "v", 2)));

    counts(4, 4);
  }

  @Test
  void admit_is_refused_while_free_is_negative() {
    made(join("w1", 2), join("w2", 2), admit(0, gang("g", "w1", 3)), leave(worker("w2", 2)));
    counts(-1, 0);

    refused(admit(0, gang("h", "w1", 1)));
    made(join("w3", 1));
    refused(admit(0, gang("h", "w1", 1)));
    made(join("w4", 1), admit(0, gang("h", "w1", 1)));

    counts(0, 0);
  }

  @Test
  void admit_reserved_takes_slots_and_keeps_the_promise() {
    Share gang = gang("g", "w", 4);
    made(join("w", 5), reserve(reservation("j-g", "w", 4)));
    assertThat(ledger().keep("j-g", "w", 0, 3)).isTrue();

    made(admitReserved(gang));

    counts(1, 0);
    assertThat(shares()).contains(gang);
    assertThat(reserved())
        .isEqualTo(new Reservation("j-g", 4, "w", true, Map.of("w", 3), LEASE_END));
    made(admitReserved(gang), admit(0, gang("h", "w", 1)));
    counts(0, 0);
  }

  @Test
  void admit_reserved_is_refused_but_for_the_reservations_job_and_worker() {
    made(join("w", 9), reserve(reservation("j-g", "w", 4)));

    refused(admitReserved(gang("other", "w", 4)));
    refused(admitReserved(gang("g", "v", 4)));
    made(admitReserved(gang("g", "w", 4)));
    refused(admitReserved(Share.ofGang("g2", "w", 4, "j-g", LEASE_END)));

    counts(5, 0);
  }

  @Test
  void admit_reserved_is_refused_without_free_slots_and_where_a_gang_stands() {
    made(join("w", 4), admit(0, gang("old", "v", 2)), reserve(reservation("j-g", "w", 4)));

    refused(admitReserved(gang("g", "w", 4)));
    made(leave(gang("old", "v", 2)));
    made(join("x", 1), admit(4, Share.ofGang("g", "v", 1, "j", LEASE_END)));
    refused(admitReserved(gang("g", "w", 4)));

    counts(4, 4);
  }

  @Test
  void admit_reserved_gives_back_what_was_reserved_whatever_the_gang_takes() {
    made(join("w", 9), reserve(reservation("j-g", "w", 4)), admitReserved(gang("g", "w", 3)));

    counts(6, 0);
  }

  @Test
  void admit_reserved_is_true_again_after_the_reservation_ended() {
    Share gang = gang("g", "w", 4);
    made(join("w", 4), reserve(reservation("j-g", "w", 4)), admitReserved(gang));
    made(unreserve(reserved()));

    made(admitReserved(gang));

    counts(0, 0);
    assertThat(view().reservation()).isNull();
  }

  @Test
  void remove_takes_back_what_came_whatever_its_lease() {
    made(join("w1", 4), join("w2", 2), admit(0, gang("g", "w1", 5)));

    made(leave(gang("g", "w1", 5).until(1)));
    counts(6, 0);
    made(leave(worker("w1", 4).until(LEASE_END + 1)));

    counts(2, 0);
    assertThat(shares()).containsExactly(worker("w2", 2));
  }

  @Test
  void remove_is_the_owners_and_for_what_is_there() {
    made(join("w", 4), admit(0, gang("g", "w", 1)));

    refused(leave(gang("g", "v", 1)));
    refused(leave(gang("h", "w", 1)));
    refused(sweep(gang("g", "v", 1)));
    made(leave(gang("g", "w", 1)));
    refused(leave(gang("g", "w", 1)));

    counts(4, 0);
  }

  @Test
  void remove_counts_the_slots_that_stand_there_not_those_that_were_seen() {
    made(join("w", 4), admit(0, gang("g", "w", 3)), admit(0, gang("h", "w", 1)));

    made(leave(gang("g", "w", 1)), sweep(gang("h", "w", 4)));

    counts(4, 0);
  }

  @Test
  void sweep_needs_the_lease_to_end_when_it_was_seen_to() {
    Share seen = worker("w", 4);
    made(join("w", 4));
    assertThat(ledger().renew(seen.until(LEASE_END + 1))).isTrue();

    refused(sweep(seen));
    refused(sweep(seen.until(LEASE_END + 2)));
    made(sweep(seen.until(LEASE_END + 1)));

    counts(0, 0);
    assertThat(shares()).isEmpty();
  }

  @Test
  void renewal_lengthens_a_lease_and_never_shortens_it() {
    Share gang = gang("g", "w", 2);
    made(join("w", 4), admit(0, gang));

    assertThat(ledger().renew(gang.until(LEASE_END + 5))).isTrue();
    assertThat(ledger().renew(gang.until(LEASE_END + 2))).isTrue();
    assertThat(ledger().renew(worker("w", 4).until(LEASE_END + 7))).isTrue();

    assertThat(shares())
        .containsExactly(gang.until(LEASE_END + 5), worker("w", 4).until(LEASE_END + 7));
    counts(2, 0);
  }

  @Test
  void renewal_is_refused_for_what_is_gone_and_what_is_anothers() {
    made(join("w", 4), admit(0, gang("g", "w", 2)), leave(worker("w", 4)));

    assertThat(ledger().renew(worker("w", 4).until(LEASE_END + 5))).isFalse();
    assertThat(ledger().renew(gang("g", "v", 2).until(LEASE_END + 5))).isFalse();

    assertThat(shares()).containsExactly(gang("g", "w", 2));
  }

  @Test
  void reserve_promises_slots_to_one_job_at_a_time() {
    Reservation mine = reservation("j", "w", 4);
    made(reserve(mine));

    made(reserve(mine));
    refused(reserve(reservation("k", "w", 2)));
    refused(reserve(reservation("j", "v", 4)));

    counts(0, 4);
    assertThat(reserved()).isEqualTo(mine);
  }

  @Test
  void reservation_is_read_soon_after_it_was_made() {
    assertThat(ledger().reservation()).isEmpty();
    made(reserve(reservation("j", "w", 4)));
    assertThat(ledger().keep("j", "v", 0, 3)).isTrue();

    Awaitility.await()
        .untilAsserted(() ->
            assertThat(ledger().reservation())
                .hasValue(new Reservation("j", 4, "w", false, Map.of("v", 3), LEASE_END)));
  }

  @Test
  void unreserve_takes_the_promise_back_once() {
    Reservation mine = reservation("j", "w", 4);
    made(join("w", 2), reserve(mine), unreserve(mine));

    counts(2, 0);
    assertThat(view().reservation()).isNull();
    refused(unreserve(mine));
    made(reserve(reservation("k", "v", 3)));
    counts(2, 3);
  }

  @Test
  void unreserve_after_the_admission_takes_back_nothing() {
    Reservation mine = reservation("j-g", "w", 4);
    made(join("w", 5), reserve(mine), admitReserved(gang("g", "w", 4)));

    refused(unreserve(mine));
    made(unreserve(reserved()));

    counts(1, 0);
    assertThat(view().reservation()).isNull();
  }

  @Test
  void unreserve_is_for_that_job_and_worker_and_as_it_was_seen() {
    Reservation mine = reservation("j", "w", 4);
    made(reserve(mine));

    refused(unreserve(reservation("k", "w", 4)));
    refused(unreserve(reservation("j", "v", 4)));
    refused(unreserve(new Reservation("j", 4, "w", true, Map.of(), LEASE_END)));

    made(unreserve(Reservation.of("j", 1, "w", 1)));
    counts(0, 0);
  }

  @Test
  void sweep_of_the_reservation_needs_its_lease_to_end_when_it_was_seen_to() {
    Reservation seen = reservation("j", "w", 4);
    made(reserve(seen));
    assertThat(ledger().renewReservation("j", "w", LEASE_END + 1)).isTrue();

    refused(sweep(seen));
    made(sweep(reserved()));

    counts(0, 0);
  }

  @Test
  void reservation_is_renewed_by_its_own_and_never_shortened() {
    made(reserve(reservation("j", "w", 4)));

    assertThat(ledger().renewReservation("j", "w", LEASE_END + 9)).isTrue();
    assertThat(ledger().renewReservation("j", "w", LEASE_END + 3)).isTrue();
    assertThat(ledger().renewReservation("j", "v", LEASE_END + 99)).isFalse();
    assertThat(ledger().renewReservation("k", "w", LEASE_END + 99)).isFalse();

    assertThat(reserved()).isEqualTo(Reservation.of("j", 4, "w", LEASE_END + 9));
  }

  @Test
  void keep_holds_slots_up_to_the_jobs_ranks() {
    made(reserve(reservation("j", "w", 4)));

    assertThat(ledger().keep("j", "w", 0, 1)).isTrue();
    assertThat(ledger().keep("j", "v.1/x y#é", 0, 2)).isTrue();
    assertThat(ledger().keep("j", "w", 1, 3)).isFalse();
    assertThat(ledger().keep("j", "w", 1, 2)).isTrue();
    assertThat(ledger().keep("j", "u", 0, 1)).isFalse();

    assertThat(reserved().held()).isEqualTo(Map.of("w", 2, "v.1/x y#é", 2));
    counts(0, 4);
  }

  @Test
  void keep_gives_back_and_another_may_hold_them() {
    made(reserve(reservation("j", "w", 4)));
    assertThat(ledger().keep("j", "w", 0, 4)).isTrue();

    assertThat(ledger().keep("j", "w", 4, 0)).isTrue();
    assertThat(ledger().keep("j", "v", 0, 4)).isTrue();
    assertThat(ledger().keep("j", "w", 0, 1)).isFalse();

    assertThat(reserved().heldInAll()).isEqualTo(4);
    assertThat(reserved().heldBy("w")).isZero();
  }

  @Test
  void keep_again_is_true_and_holds_nothing_more() {
    made(reserve(reservation("j", "w", 4)));

    for (int i = 0; i < 3; i++) {
      assertThat(ledger().keep("j", "w", 0, 3)).isTrue();
    }
    assertThat(ledger().keep("j", "w", 9, 3)).isTrue();
    assertThat(ledger().keep("j", "v", 0, 0)).isTrue();

    assertThat(reserved().heldInAll()).isEqualTo(3);
    assertThat(ledger().keep("j", "v", 0, 1)).isTrue();
  }

  @Test
  void keep_is_refused_for_another_job_and_for_what_was_not_so() {
    made(reserve(reservation("j", "w", 4)));
    assertThat(ledger().keep("j", "w", 0, 2)).isTrue();

    assertThat(ledger().keep("k", "w", 2, 3)).isFalse();
    assertThat(ledger().keep("j", "w", 0, 3)).isFalse();
    assertThat(ledger().keep("j", "w", 1, 3)).isFalse();
    assertThat(ledger().keep("j", "v", 2, 1)).isFalse();

    assertThat(reserved().held()).isEqualTo(Map.of("w", 2));
  }

  @Test
  void keep_goes_on_while_the_gang_assembles_and_ends_with_the_reservation() {
    made(join("w", 4), reserve(reservation("j-g", "w", 4)), admitReserved(gang("g", "w", 4)));

    assertThat(ledger().keep("j-g", "w", 0, 2)).isTrue();
    made(unreserve(reserved()));
    assertThat(ledger().keep("j-g", "w", 2, 0)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void change_made_again_after_its_answer_was_lost_happens_once_and_is_true(int which) {
    Share gang = gang("g", "w", 4);
    Reservation mine = reservation("j-g", "w", 4);
    LedgerChange[][] after = {
      {},
      {join("w", 9)},
      {join("w", 9), reserve(mine)},
      {join("w", 9), admit(0, gang)},
      {join("w", 9)},
      {join("w", 9), reserve(mine)}
    };
    LedgerChange[] changes = {
      join("w", 9), admit(0, gang), admitReserved(gang), leave(gang), reserve(mine), unreserve(mine)
    };
    made(after[which]);
    made(changes[which]);
    LedgerView once = view();

    made(changes[which], changes[which]);

    assertThat(view()).isEqualTo(once);
  }

  @Test
  void change_made_again_after_it_was_undone_stays_undone() {
    LedgerChange join = join("w", 4);
    LedgerChange admit = admit(0, gang("g", "w", 2));
    LedgerChange reserve = reserve(reservation("j", "w", 4));
    made(join, admit, reserve);
    made(leave(gang("g", "w", 2)), leave(worker("w", 4)), unreserve(reserved()));

    made(join, admit, reserve);

    assertThat(view()).isEqualTo(LedgerView.EMPTY);
  }

  @Test
  void change_that_was_refused_is_looked_at_anew_when_it_is_made_again() {
    LedgerChange admit = admit(0, gang("g", "w", 4));
    refused(admit);
    made(join("w", 4));

    made(admit, admit);

    counts(0, 0);
  }

  @Test
  void change_whose_effect_stands_there_is_true_under_another_token_too() {
    Share gang = gang("g", "w", 4);
    Reservation mine = reservation("j-g", "w", 4);
    List<LedgerChange> changes =
        List.of(join("w", 9), admit(0, gang("a", "w", 2)), reserve(mine), admitReserved(gang));
    made(changes.toArray(LedgerChange[]::new));
    LedgerView once = view();

    made(changes.stream().map(Ledgers::anew).toArray(LedgerChange[]::new));

    assertThat(view()).isEqualTo(once);
    made(leave(gang));
    refused(anew(leave(gang)));
  }

  @Test
  void token_of_another_change_is_an_error() {
    String token = token();
    made(new LedgerChange.Join(token, worker("w", 4)));

    assertThatThrownBy(() -> ledger().change(new LedgerChange.Join(token, worker("v", 4))))
        .isInstanceOf(CloudKonException.class)
        .isNotInstanceOf(TransientServiceException.class);

    counts(4, 0);
  }

  @Test
  void view_of_a_large_ledger_is_whole() {
    made(
        IntStream.range(0, 40)
            .mapToObj(i -> join("worker-%02d".formatted(i), i + 1))
            .toArray(LedgerChange[]::new));
    made(admit(0, gang("g", "w", 100)), reserve(reservation("j", "w", 7)));

    LedgerView view = view();

    assertThat(view.shares()).hasSize(41);
    assertThat(view.counter()).isEqualTo(new LedgerCounter(820 - 100, 7));
    assertThat(view.liveSlots(LEASE_END)).isEqualTo(820);
    assertThat(view.liveSlots(LEASE_END + 1)).isZero();
  }

  @Test
  void table_that_does_not_exist_is_named() {
    CapacityLedger missing = fixture().missing().hpc().ledger();
    Stream<Runnable> calls =
        Stream.of(
            () -> missing.change(join("w", 1)),
            () -> missing.change(admitReserved(gang("g", "w", 1))),
            () -> missing.renew(worker("w", 1)),
            () -> missing.keep("j", "w", 0, 1),
            () -> missing.removeWaiting("j", "w"),
            missing::counter,
            missing::reservation,
            missing::view);

    assertThat(calls)
        .allSatisfy(call ->
            assertThatThrownBy(call::run)
                .isInstanceOf(MissingResourceException.class)
                .hasMessageContaining(fixture().missing().name() + "-ledger"));
  }
}
