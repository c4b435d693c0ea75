package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Claims.LEASE_END;
import static io.cloudkon.core.contract.Claims.fresh;
import static io.cloudkon.core.contract.Claims.id;
import static io.cloudkon.core.contract.Claims.losing;
import static io.cloudkon.core.contract.Claims.next;
import static io.cloudkon.core.contract.Claims.takeOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every {@link ClaimStore} does, by example. {@link ClaimRulesContract} adds every row of the
 * rules and random histories.
 */
public abstract class ClaimStoreContract extends PortContract {

  private ClaimStore store() {
    return cluster().claims();
  }

  private Claim accepted(ClaimAnswer answer) {
    assertThat(answer).isInstanceOf(ClaimAnswer.Accepted.class);
    Claim claim = ((ClaimAnswer.Accepted) answer).claim();
    assertThat(store().read(List.of(claim.id())))
        .containsExactly(java.util.Map.entry(claim.id(), claim));
    return claim;
  }

  private Claim acquired(Acquisition acquisition) {
    return accepted(store().acquire(acquisition));
  }

  private Claim written(ClaimWrite write) {
    return accepted(store().write(write));
  }

  private void refused(ClaimAnswer answer, Claim current) {
    assertThat(answer).isEqualTo(new ClaimAnswer.Refused(current));
    assertThat(store().read(List.of(current.id())).get(current.id())).isEqualTo(current);
  }

  @ParameterizedTest
  @EnumSource(names = {"FRESH", "TAKE_OVER"})
  void acquire_of_an_absent_claim_makes_it(Acquisition.Mode mode) {
    Acquisition by = Claims.acquire(id(), mode, "n1", 0, 0, Positions.of(0, 9));

    assertThat(acquired(by))
        .isEqualTo(
            new Claim(
                by.id(),
                ClaimState.LEASED,
                "worker-n1",
                "n1",
                1,
                0,
                0,
                LEASE_END,
                Positions.of(0, 9),
                Positions.none(),
                new TreeMap<>(),
                by.ttl()));
  }

  @Test
  void sick_workers_that_gave_a_bundle_back_are_counted_once_each_and_beside_its_claim() {
    Claim claim = acquired(fresh(id(), "n1"));
    long ttl = claim.ttl();

    assertThat(store().noteSick(claim.id(), "w1", ttl)).isEqualTo(1);
    assertThat(store().noteSick(claim.id(), "w2", ttl)).isEqualTo(2);
    assertThat(store().noteSick(claim.id(), "w1", ttl)).isEqualTo(2);
    assertThat(store().noteSick(id(), "w3", ttl)).isEqualTo(1);

    assertThat(store().read(List.of(claim.id())).get(claim.id())).isEqualTo(claim);
  }

  @Test
  void acquire_to_lose_an_absent_claim_is_refused() {
    assertThat(store().acquire(losing(id(), "n1", LEASE_END + 1, 0)))
        .isEqualTo(new ClaimAnswer.Refused(null));
  }

  @Test
  void acquire_again_by_the_same_nonce_is_refused_and_shows_it() {
    Claim mine = acquired(fresh(id(), "n1", 1));

    refused(store().acquire(fresh(mine.id(), "n1", 1)), mine);
  }

  @Test
  void take_over_needs_the_lease_to_have_ended_before_the_moment_named() {
    Claim first = acquired(fresh(id(), "n1"));

    refused(store().acquire(takeOver(first.id(), "n2", LEASE_END - 1)), first);
    refused(store().acquire(takeOver(first.id(), "n2", LEASE_END)), first);
    Claim second = acquired(takeOver(first.id(), "n2", LEASE_END + 1));

    assertThat(second.attempt()).isEqualTo(2);
    assertThat(second.owner()).isEqualTo("worker-n2");
  }

  @Test
  void attempt_taken_back_counts_no_more_however_often_that_is_said() {
    Claim first = acquired(fresh(id(), "n1", 1));
    accepted(store().survive(first.id(), 1));
    Claim again = accepted(store().survive(first.id(), 1));

    assertThat(again.survived()).isEqualTo(Positions.of(1));
    assertThat(again.attemptsInAll()).isEqualTo(1);
    assertThat(again.countedAttempts()).isZero();
    assertThat(again.ttl()).isEqualTo(first.ttl());
  }

  @Test
  void attempt_taken_back_stays_so_whatever_later_owners_write() {
    Claim first = acquired(fresh(id(), "n1"));
    Claim second = acquired(takeOver(first.id(), "n2", LEASE_END + 1));
    accepted(store().survive(first.id(), 1));

    Claim third = written(Claims.released(next(second)));
    Claim fourth = acquired(takeOver(first.id(), "n3", 0));

    assertThat(third.survived()).isEqualTo(Positions.of(1));
    assertThat(fourth.survived()).isEqualTo(Positions.of(1));
    assertThat(fourth.countedAttempts()).isEqualTo(1);
    assertThat(written(next(fourth)).survived()).isEqualTo(Positions.of(1));
  }

  @Test
  void attempt_is_not_taken_back_of_a_claim_that_is_absent_or_done_or_never_was_so_far() {
    String absent = id();
    assertThat(store().survive(absent, 1)).isEqualTo(new ClaimAnswer.Refused(null));
    assertThat(store().read(List.of(absent))).isEmpty();

    Claim first = acquired(fresh(id(), "n1"));
    refused(store().survive(first.id(), 2), first);
    Claim done = written(Claims.to(next(first), ClaimState.DONE));
    refused(store().survive(first.id(), 1), done);
  }

  @Test
  void take_over_keeps_what_was_recorded_and_begins_seq_anew() {
    Claim first = acquired(fresh(id(), "n1", 0, 1, 2));
    SortedMap<Integer, Child> children = Claims.children(3, new Child(Positions.of(7, 8), false));
    Claim later =
        written(
            Claims.children(
                Claims.positions(next(first), Positions.of(0, 1, 2), Positions.of(1)), children));

    Claim second = acquired(takeOver(first.id(), "n2", LEASE_END + 1, 5));

    assertThat(second.seq()).isZero();
    assertThat(second.started()).isEqualTo(later.started());
    assertThat(second.done()).isEqualTo(Positions.of(1));
    assertThat(second.children()).isEqualTo(children);
  }

  @Test
  void acquire_of_a_released_claim_keeps_the_number_of_releases() {
    Claim first = acquired(fresh(id(), "n1"));
    Claim released = written(Claims.released(next(first)));
    assertThat(released.state()).isEqualTo(ClaimState.RELEASED);

    Claim second = acquired(fresh(first.id(), "n2"));
    Claim again = written(Claims.released(next(second)));

    assertThat(again.releases()).isEqualTo(2);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(acquired(takeOver(first.id(), "n3", 0)).releases()).isEqualTo(2);
  }

  @Test
  void started_is_set_by_the_acquisition_that_makes_the_item_and_by_no_other() {
    Claim with = acquired(fresh(id(), "n1", 3, 4));
    assertThat(with.started()).isEqualTo(Positions.of(3, 4));
    Claim after = acquired(takeOver(with.id(), "n2", LEASE_END + 1, 5));
    assertThat(after.started()).isEqualTo(Positions.of(3, 4));

    Claim without = acquired(fresh(id() + "-2", "n1"));
    assertThat(without.started()).isEqualTo(Positions.none());
    after = acquired(takeOver(without.id(), "n2", LEASE_END + 1, 5));
    assertThat(after.started()).isEqualTo(Positions.none());
  }

  @Test
  void started_that_was_cleared_is_not_set_by_a_late_acquisition() {
    Claim first = acquired(fresh(id(), "n1", 3, 4));
    Claim cleared =
        written(Claims.released(Claims.positions(next(first), Positions.none(), Positions.none())));
    assertThat(cleared.started()).isEqualTo(Positions.none());

    assertThat(acquired(fresh(first.id(), "n2", 5)).started()).isEqualTo(Positions.none());
  }

  @Test
  void losing_goes_from_owner_to_owner_each_at_the_attempt_it_saw() {
    Claim first = acquired(fresh(id(), "n1", 0));
    refused(store().acquire(losing(first.id(), "n2", LEASE_END, 1)), first);
    refused(store().acquire(losing(first.id(), "n2", LEASE_END + 1, 2)), first);

    Claim second = acquired(losing(first.id(), "n2", LEASE_END + 1, 1));
    assertThat(second.state()).isEqualTo(ClaimState.LOSING);
    assertThat(second.started()).isEqualTo(Positions.of(0));
    refused(store().acquire(losing(first.id(), "n3", LEASE_END + 1, 1)), second);

    Claim third = acquired(losing(first.id(), "n3", LEASE_END + 1, 2));
    assertThat(third.attempt()).isEqualTo(3);
    assertThat(written(Claims.to(next(third), ClaimState.DONE)).state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void done_is_for_good() {
    Claim done = written(Claims.to(next(acquired(fresh(id(), "n1"))), ClaimState.DONE));

    refused(store().acquire(fresh(done.id(), "n2")), done);
    refused(store().acquire(takeOver(done.id(), "n2", LEASE_END + 1)), done);
    refused(store().acquire(losing(done.id(), "n2", LEASE_END + 1, 1)), done);
    refused(store().write(Claims.by(next(done), ClaimState.LEASED, 1, "n1")), done);
  }

  @Test
  void write_of_an_absent_claim_is_refused_with_none() {
    Claim elsewhere = acquired(fresh(id(), "n1"));
    String absent = id();
    ClaimWrite write = next(elsewhere);
    ClaimWrite there =
        new ClaimWrite(
            absent,
            1,
            "n1",
            1,
            ClaimState.LEASED,
            ClaimState.LEASED,
            LEASE_END,
            0,
            write.started(),
            write.done(),
            write.children(),
            write.ttl());

    assertThat(store().write(there)).isEqualTo(new ClaimAnswer.Refused(null));
    assertThat(store().read(List.of(absent))).isEmpty();
  }

  @Test
  void write_replaces_every_value() {
    Claim first = acquired(fresh(id(), "n1", 1));
    SortedMap<Integer, Child> children = Claims.children(0, new Child(Positions.of(63), true));
    long ttl = Claims.ttl() + 77;
    ClaimWrite write =
        new ClaimWrite(
            first.id(),
            1,
            "n1",
            41,
            ClaimState.LEASED,
            ClaimState.RELEASED,
            LEASE_END + 5,
            9,
            Positions.of(2),
            Positions.of(3),
            children,
            ttl);

    assertThat(written(write))
        .isEqualTo(
            new Claim(
                first.id(),
                ClaimState.RELEASED,
                "worker-n1",
                "n1",
                1,
                41,
                9,
                LEASE_END + 5,
                Positions.of(2),
                Positions.of(3),
                children,
                ttl));
  }

  @Test
  void late_copy_of_an_older_write_changes_nothing() {
    Claim first = acquired(fresh(id(), "n1"));
    ClaimWrite older = Claims.seq(next(first), 1);
    ClaimWrite newer =
        Claims.seq(Claims.positions(next(first), Positions.of(1), Positions.of(1)), 2);
    Claim current = written(newer);

    refused(store().write(older), current);
    refused(store().write(newer), current);
  }

  @Test
  void write_of_a_former_owner_changes_nothing() {
    Claim first = acquired(fresh(id(), "n1"));
    Claim second = acquired(takeOver(first.id(), "n2", LEASE_END + 1));

    refused(store().write(Claims.seq(next(first), 100)), second);
  }

  @Test
  void bitmaps_of_a_full_bundle_come_back_as_they_were() {
    Claim claim = acquired(fresh(id(), "n1"));
    Positions all = Positions.range(0, Limits.TASKS_PER_BUNDLE);
    Positions odd =
        Positions.of(IntStream.range(0, Limits.TASKS_PER_BUNDLE).filter(i -> i % 2 == 1).toArray());
    Positions last = Positions.of(Limits.TASKS_PER_BUNDLE - 1);

    Claim full = written(Claims.positions(next(claim), all, odd));
    assertThat(full.started()).isEqualTo(all);
    assertThat(full.done()).isEqualTo(odd);

    Claim sparse = written(Claims.positions(next(full), last, Positions.none()));
    assertThat(sparse.started()).isEqualTo(last);
    assertThat(sparse.done()).isEqualTo(Positions.none());

    Claim empty = written(Claims.positions(next(sparse), Positions.none(), Positions.none()));
    assertThat(empty.started().isEmpty()).isTrue();
  }

  @Test
  void children_come_back_as_they_were() {
    Claim claim = acquired(fresh(id(), "n1"));
    SortedMap<Integer, Child> children = new TreeMap<>();
    for (int k = 0; k < Limits.CHILDREN; k++) {
      children.put(k, new Child(Positions.range(k * 64, k * 64 + 1 + k), k % 2 == 0));
    }

    Claim split = written(Claims.children(next(claim), children));
    assertThat(split.children()).isEqualTo(children);

    children.replaceAll((k, child) -> new Child(child.tasks(), true));
    Claim sent = written(Claims.children(next(split), children));
    assertThat(sent.children()).isEqualTo(children);
    assertThat(written(Claims.children(next(sent), new TreeMap<>())).children()).isEmpty();
  }

  @Test
  void child_of_a_child_has_a_claim_of_its_own() {
    Claim parent = acquired(fresh(id(), "n1"));

    Claim child = acquired(fresh(parent.id() + "/0/12", "n2"));

    assertThat(store().read(List.of(parent.id(), child.id())))
        .containsOnly(
            java.util.Map.entry(parent.id(), parent), java.util.Map.entry(child.id(), child));
  }

  @Test
  void read_gives_up_to_a_hundred_and_leaves_out_what_is_absent() {
    List<String> ids = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(id());
      if (i % 3 != 0) {
        claims.add(acquired(fresh(ids.get(i), "n" + i, i)));
      }
    }

    assertThat(store().read(ids).values()).containsExactlyInAnyOrderElementsOf(claims);
    assertThat(store().read(List.of(id()))).isEmpty();
    assertThat(store().read(List.of())).isEmpty();
  }

  @Test
  void acquire_by_two_at_once_is_accepted_for_one() {
    for (int round = 0; round < 20; round++) {
      String id = id();

      List<ClaimAnswer> answers =
          AtOnce.call(
              () -> store().acquire(fresh(id, "n1")), () -> store().acquire(fresh(id, "n2")));

      assertThat(answers).filteredOn(a -> a instanceof ClaimAnswer.Accepted).hasSize(1);
      Claim current = store().read(List.of(id)).get(id);
      assertThat(answers)
          .containsExactlyInAnyOrder(
              new ClaimAnswer.Accepted(current), new ClaimAnswer.Refused(current));
    }
  }

  @Test
  void write_of_one_seq_by_two_at_once_is_accepted_for_one() {
    for (int round = 0; round < 10; round++) {
      Claim claim = acquired(fresh(id(), "n1"));
      ClaimWrite one = Claims.positions(next(claim), Positions.of(1), Positions.none());
      ClaimWrite two = Claims.positions(next(claim), Positions.of(2), Positions.none());

      List<ClaimAnswer> answers = AtOnce.call(() -> store().write(one), () -> store().write(two));

      assertThat(answers).filteredOn(a -> a instanceof ClaimAnswer.Accepted).hasSize(1);
    }
  }

  @Test
  void table_that_does_not_exist_is_named() {
    ClaimStore missing = fixture().missing().claims();

    assertThatThrownBy(() -> missing.acquire(fresh(id(), "n1")))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining(fixture().missing().name());
    assertThatThrownBy(() -> missing.read(List.of(id())))
        .isInstanceOf(MissingResourceException.class);
  }
}
