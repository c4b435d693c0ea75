package io.cloudkon.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The seats of every {@link DecisionStore}. */
public abstract class SeatsContract extends PortContract {

  private DecisionStore store() {
    return cluster().decisions();
  }

  private long now() {
    return fixture().serviceMillis();
  }

  /** A seat that is this worker's from now on, for 15 s. */
  private IdleSeat seated(int index, String worker) {
    long now = now();
    IdleSeat seat = new IdleSeat(index, worker, now + 15_000);
    assertThat(store().sit(seat, now)).isTrue();
    return seat;
  }

  @Test
  void free_seat_is_given() {
    assertThat(store().seats()).isEmpty();

    IdleSeat seat = seated(0, "w1");

    assertThat(store().seats()).containsExactly(seat);
  }

  @Test
  void seat_of_another_is_not_given() {
    IdleSeat seat = seated(0, "w1");

    assertThat(store().sit(new IdleSeat(0, "w2", seat.leaseEnd() + 9), now())).isFalse();

    assertThat(store().seats()).containsExactly(seat);
  }

  @Test
  void seat_whose_lease_ended_is_given_and_one_that_ends_now_is_not() {
    IdleSeat seat = seated(0, "w1");
    IdleSeat next = new IdleSeat(0, "w2", seat.leaseEnd() + 15_000);

    assertThat(store().sit(next, seat.leaseEnd())).isFalse();
    assertThat(store().sit(next, seat.leaseEnd() + 1)).isTrue();

    assertThat(store().seats()).containsExactly(next);
  }

  @Test
  void own_seat_is_given_again_with_a_new_lease() {
    IdleSeat seat = seated(0, "w1");
    IdleSeat renewed = new IdleSeat(0, "w1", seat.leaseEnd() + 5_000);

    assertThat(store().sit(renewed, now())).isTrue();
    assertThat(store().sit(renewed, now())).as("again, as after a lost answer").isTrue();

    assertThat(store().seats()).containsExactly(renewed);
  }

  @Test
  void own_seat_that_has_expired_is_given_again() {
    IdleSeat seat = seated(0, "w1");
    IdleSeat renewed = new IdleSeat(0, "w1", seat.leaseEnd() + 20_000);

    assertThat(store().sit(renewed, seat.leaseEnd() + 5_000)).isTrue();

    assertThat(store().seats()).containsExactly(renewed);
  }

  @Test
  void late_copy_of_an_older_call_does_not_shorten_the_lease() {
    IdleSeat seat = seated(0, "w1");
    IdleSeat renewed = new IdleSeat(0, "w1", seat.leaseEnd() + 5_000);
    assertThat(store().sit(renewed, now())).isTrue();

    assertThat(store().sit(seat, now())).as("it has the seat").isTrue();

    assertThat(store().seats()).containsExactly(renewed);
  }

  @Test
  void seat_wanted_by_twenty_at_once_is_given_to_one() {
    long now = now();
    List<Callable<Boolean>> calls =
        IntStream.range(0, 20)
            .mapToObj(i -> new IdleSeat(3, "w" + i, now + 15_000))
            .<Callable<Boolean>>map(seat -> () -> store().sit(seat, now))
            .toList();

    List<Boolean> given = AtOnce.call(calls);

    assertThat(given).containsOnlyOnce(true);
    assertThat(store().seats())
        .containsExactly(new IdleSeat(3, "w" + given.indexOf(true), now + 15_000));
  }

  @Test
  void expired_seat_wanted_by_twenty_at_once_is_given_to_one() {
    IdleSeat dead = seated(0, "dead");
    long now = dead.leaseEnd() + 1;
    List<Callable<Boolean>> calls =
        IntStream.range(0, 20)
            .mapToObj(i -> new IdleSeat(0, "w" + i, now + 15_000))
            .<Callable<Boolean>>map(seat -> () -> store().sit(seat, now))
            .toList();

    assertThat(AtOnce.call(calls)).containsOnlyOnce(true);
  }

  @Test
  void seat_given_back_is_free() {
    IdleSeat unused = seated(0, "w1");

    store().leave(0, "w1");
    store().leave(0, "w1"); // again, as after a lost answer

    assertThat(store().seats()).isEmpty();
    assertThat(store().sit(new IdleSeat(0, "w2", now() + 15_000), now())).isTrue();
  }

  @Test
  void seat_of_another_or_of_nobody_cannot_be_given_back() {
    IdleSeat seat = seated(0, "w1");

    store().leave(0, "w2");
    store().leave(1, "w1");

    assertThat(store().seats()).containsExactly(seat);
  }

  @Test
  void seats_are_all_that_were_not_given_back_in_order_and_nothing_else() {
    ProvisionerEntry holder = Decisions.entry("one", now());
    assertThat(store().take(holder, Optional.empty())).isTrue();
    assertThat(store().intend(Decisions.decision(1, "one", now()))).isTrue();
    IdleSeat eleven = seated(11, "w1");
    IdleSeat two = seated(2, "w2");
    IdleSeat gone = seated(5, "w3");
    long now = now();
    IdleSeat expired = new IdleSeat(0, "w4", now - 60_000);
    assertThat(store().sit(expired, now)).isTrue();
    store().leave(gone.index(), gone.worker());

    assertThat(store().seats()).containsExactly(expired, two, eleven);
    assertThat(store().provisioner()).contains(holder.withNextDecision(2));
  }

  @Test
  void cluster_that_was_told_nothing_is_not_fair() {
    assertThat(store().settings()).isEqualTo(ClusterSettings.DEFAULT);
    assertThat(store().settings().fair()).isFalse();
  }

  @Test
  void settings_are_kept_until_they_are_set_otherwise() {
    store().keep(new ClusterSettings(true));
    store().keep(new ClusterSettings(true));
    assertThat(store().settings().fair()).isTrue();

    store().keep(new ClusterSettings(false));

    assertThat(store().settings().fair()).isFalse();
  }

  @Test
  void settings_are_no_seat_and_do_not_touch_the_provisioner() {
    ProvisionerEntry holder = Decisions.entry("one", now());
    assertThat(store().take(holder, Optional.empty())).isTrue();
    store().keep(new ClusterSettings(true));

    assertThat(store().seats()).isEmpty();
    assertThat(store().provisioner()).contains(holder);
  }

  @Test
  void table_that_does_not_exist_is_named() {
    DecisionStore missing = fixture().missing().decisions();
    List<ThrowingCallable> calls =
        List.of(
            () -> missing.sit(new IdleSeat(0, "w", 9), 1),
            () -> missing.leave(0, "w"),
            missing::settings,
            () -> missing.keep(new ClusterSettings(true)),
            missing::seats);

    assertThat(calls)
        .allSatisfy(call ->
            assertThatThrownBy(call)
                .isInstanceOf(MissingResourceException.class)
                .hasMessageContaining(fixture().missing().name()));
  }
}
