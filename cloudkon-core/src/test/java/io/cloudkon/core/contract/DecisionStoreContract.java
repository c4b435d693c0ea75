package io.cloudkon.core.contract;

import static io.cloudkon.core.contract.Decisions.decision;
import static io.cloudkon.core.contract.Decisions.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.ProvisionerEntry.Fleet;
import io.cloudkon.core.port.WorkerTakes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lease and the decisions of every {@link DecisionStore}; its seats: {@link SeatsContract}. */
public abstract class DecisionStoreContract extends PortContract {

  private DecisionStore store() {
    return cluster().decisions();
  }

  private long now() {
    return fixture().serviceMillis();
  }

  /** A provisioner that holds the lease. */
  private ProvisionerEntry held(String holder) {
    ProvisionerEntry entry = entry(holder, now());
    assertThat(store().take(entry, Optional.empty())).isTrue();
    return entry;
  }

  private ProvisionerEntry current() {
    return store().provisioner().orElseThrow();
  }

  private static ProvisionerEntry later(ProvisionerEntry entry, long millis) {
    return entry(entry.holder(), entry.nextDecision(), entry.updatedMillis() + millis);
  }

  private Decision intended(long number, String holder) {
    Decision decision = decision(number, holder, now());
    assertThat(store().intend(decision)).isTrue();
    return decision;
  }

  // ---- the lease

  @Test
  void provisioner_of_a_new_cluster_is_none() {
    assertThat(store().provisioner()).isEmpty();
  }

  @Test
  void take_publishes_every_field() {
    long now = now();
    ProvisionerEntry.Settings settings =
        new ProvisionerEntry.Settings(
            "ec2",
            3,
            1_000,
            96,
            new WorkerTakes(Set.of(Work.Kind.EXEC, Work.Kind.SLEEP), true, false));
    Fleet fleet =
        new Fleet(
            7,
            5,
            2,
            now - 40_000,
            "a backlog of 1,000 tasks \u2014 5 min of \"work\"",
            Map.of("InsufficientInstanceCapacity", 3L, "boot timeout", 1L << 40),
            0.0875,
            1e-5,
            96_000,
            "VcpuLimitExceeded: 32 vCPU",
            now - 60_000);
    ProvisionerEntry entry =
        new ProvisionerEntry(
            "holder", "host, process 7", now + 15_000, settings, 41, 39, fleet, now);

    assertThat(store().take(entry, Optional.empty())).isTrue();

    assertThat(store().provisioner()).contains(entry);
  }

  @Test
  void take_publishes_what_is_empty() {
    long now = now();
    ProvisionerEntry.Settings settings =
        new ProvisionerEntry.Settings("", 0, 0, 0, new WorkerTakes(Set.of(), false, true));
    ProvisionerEntry entry =
        new ProvisionerEntry("holder", "", now, settings, 1, 1, Fleet.UNSEEN, now);

    assertThat(store().take(entry, Optional.empty())).isTrue();

    assertThat(store().provisioner()).contains(entry);
  }

  @Test
  void take_of_a_lease_that_stands_as_it_was_seen_gives_it_to_another() {
    ProvisionerEntry seen = held("one");
    ProvisionerEntry next = entry("two", seen.updatedMillis() + 20_000);

    assertThat(store().take(next, Optional.of(seen))).isTrue();
    assertThat(store().take(next, Optional.of(seen))).as("again, as after a lost answer").isTrue();

    assertThat(store().provisioner()).contains(next);
    assertThat(store().renew(later(seen, 30_000))).as("its former holder's renewal").isFalse();
    assertThat(store().provisioner()).contains(next);
  }

  @Test
  void first_take_made_twice_is_true_both_times() {
    ProvisionerEntry entry = held("one");

    assertThat(store().take(entry, Optional.empty())).isTrue();

    assertThat(store().provisioner()).contains(entry);
  }

  @Test
  void take_by_two_at_once_is_true_for_one() {
    Optional<ProvisionerEntry> seen = Optional.empty();
    for (int round = 1; round <= 10; round++) {
      Optional<ProvisionerEntry> before = seen;
      long now = now() + round;

      List<Boolean> taken =
          AtOnce.call(
              () -> store().take(entry("one", now), before),
              () -> store().take(entry("two", now), before));

      assertThat(taken).containsExactlyInAnyOrder(true, false);
      assertThat(current().holder()).isEqualTo(taken.getFirst() ? "one" : "two");
      seen = store().provisioner();
    }
  }

  @Test
  void take_of_a_lease_that_was_not_seen_or_is_not_there_changes_nothing() {
    ProvisionerEntry next = entry("two", now() + 1);
    assertThat(store().take(next, Optional.of(entry("one", now())))).isFalse();
    assertThat(store().provisioner()).isEmpty();

    ProvisionerEntry first = held("one");
    assertThat(store().take(next, Optional.empty())).isFalse();
    assertThat(store().provisioner()).contains(first);
  }

  @Test
  void take_of_a_lease_that_was_renewed_meanwhile_changes_nothing() {
    ProvisionerEntry seen = held("one");
    ProvisionerEntry renewed = later(seen, 1);
    assertThat(store().renew(renewed)).isTrue();

    assertThat(store().take(entry("two", now()), Optional.of(seen))).isFalse();

    assertThat(store().provisioner()).contains(renewed);
  }

  @Test
  void take_of_a_lease_whose_holder_decided_meanwhile_changes_nothing() {
    ProvisionerEntry seen = held("one");
    Decision unused = intended(1, "one");

    assertThat(store().take(entry("two", now()), Optional.of(seen))).isFalse();

    assertThat(store().provisioner()).contains(seen.withNextDecision(2));
  }

  @Test
  void renew_writes_all_but_the_number_of_the_next_decision() {
    ProvisionerEntry first = held("one");
    Decision unused = intended(1, "one");
    Fleet fleet = new Fleet(3, 1, 2, 77, "because", Map.of("refused", 2L), 0.5, 12.25, 0);
    ProvisionerEntry renewed =
        new ProvisionerEntry(
            "one",
            "elsewhere",
            first.leaseEnd() + 5_000,
            new ProvisionerEntry.Settings("process", 0, 2, 1, WorkerTakes.ALL),
            1,
            2,
            fleet,
            first.updatedMillis() + 5_000);

    assertThat(store().renew(renewed)).isTrue();

    assertThat(store().provisioner()).contains(renewed.withNextDecision(2));
  }

  @Test
  void renew_made_twice_is_true_both_times() {
    ProvisionerEntry renewed = later(held("one"), 5_000);

    assertThat(store().renew(renewed)).isTrue();
    assertThat(store().renew(renewed)).isTrue();

    assertThat(store().provisioner()).contains(renewed);
  }

  @Test
  void renew_that_is_older_changes_nothing() {
    ProvisionerEntry first = held("one");
    ProvisionerEntry newest = later(first, 9);
    assertThat(store().renew(newest)).isTrue();

    assertThat(store().renew(later(first, 5))).isFalse();

    assertThat(store().provisioner()).contains(newest);
  }

  @Test
  void renew_by_another_or_of_none_changes_nothing() {
    assertThat(store().renew(entry("one", now()))).isFalse();
    assertThat(store().provisioner()).isEmpty();
    ProvisionerEntry first = held("one");

    assertThat(store().renew(entry("two", now() + 9_000))).isFalse();

    assertThat(store().provisioner()).contains(first);
  }

  @Test
  void lease_that_was_let_go_is_taken_by_another() {
    ProvisionerEntry first = held("one");
    long end = first.updatedMillis() + 1;
    ProvisionerEntry last =
        new ProvisionerEntry("one", "host", end, Decisions.SETTINGS, 1, 1, Fleet.UNSEEN, end);
    assertThat(store().renew(last)).isTrue();
    assertThat(current().lease().letGo()).isTrue();

    assertThat(store().take(entry("two", end + 1), Optional.of(last))).isTrue();
  }

  // ---- decisions

  @Test
  void intend_writes_the_decision_and_raises_the_number() {
    ProvisionerEntry holder = held("one");

    Decision decision = intended(1, "one");

    assertThat(store().decisions(1, 1)).containsExactly(decision);
    assertThat(store().provisioner()).contains(holder.withNextDecision(2));
  }

  @ParameterizedTest
  @EnumSource
  void intend_publishes_every_field(Decision.State state) {
    ProvisionerEntry unused = held("one");
    Decision decision =
        new Decision(
            1,
            "one",
            now() - 3,
            250,
            "a-token-that-is-as-long-as-EC2-lets-it-be-which-is-64-characters",
            "a gang of 6 ranks \u2014 needs 6 slots",
            "runs: 2\nbacklog: \"1,000\" tasks",
            Map.of("command", "bin/worker --slots 4", "empty", "", "user data", "x".repeat(16_384)),
            state,
            List.of("i-0b", "i-0a", "i-0a"),
            "one of three was refused",
            now());

    assertThat(store().intend(decision)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(decision);
  }

  @Test
  void intend_publishes_what_is_empty() {
    ProvisionerEntry unused = held("one");
    Decision decision =
        new Decision(
            1,
            "one",
            now(),
            0,
            "t",
            "",
            "",
            Map.of(),
            Decision.State.INTENDED,
            List.of(),
            "",
            now());

    assertThat(store().intend(decision)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(decision);
  }

  @Test
  void texts_of_any_length_are_cut_and_fit() {
    ProvisionerEntry first = held("one");
    String endless = "\ud83d\ude80\u20ac".repeat(400_000);
    Fleet fleet = new Fleet(0, 0, 0, 0, endless, Map.of(), 0, 0, Fleet.UNKNOWN);
    ProvisionerEntry renewed =
        new ProvisionerEntry(
            "one",
            "host",
            first.leaseEnd(),
            Decisions.SETTINGS,
            1,
            1,
            fleet,
            first.updatedMillis() + 1);
    Decision decision =
        new Decision(
            1,
            "one",
            now(),
            1,
            "t",
            endless,
            endless,
            Map.of(),
            Decision.State.INTENDED,
            List.of(),
            endless,
            now());
    assertThat(decision.observation().length()).isLessThanOrEqualTo(Limits.DECISION_TEXT_CHARS);

    assertThat(store().renew(renewed)).isTrue();
    assertThat(store().intend(decision)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(decision);
    assertThat(current().fleet()).isEqualTo(fleet);
  }

  @Test
  void intend_made_twice_is_true_both_times_and_raises_the_number_once() {
    ProvisionerEntry holder = held("one");
    Decision decision = intended(1, "one");

    fixture().advance(Duration.ofMillis(1_100)); // nothing of the request may hang on the clock
    assertThat(store().intend(decision)).isTrue();
    assertThat(store().provisioner()).contains(holder.withNextDecision(2));

    Decision second = intended(2, "one");
    assertThat(store().intend(decision)).as("after another one").isTrue();

    assertThat(store().decisions(1, 9)).containsExactly(decision, second);
    assertThat(store().provisioner()).contains(holder.withNextDecision(3));
  }

  @Test
  void intend_made_once_more_does_not_undo_how_far_it_is() {
    ProvisionerEntry unused = held("one");
    Decision decision = intended(1, "one");
    Decision launched = decision.launched(List.of("i-1"), "", now() + 5);
    assertThat(store().update(launched)).isTrue();

    assertThat(store().intend(decision)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(launched);
  }

  @Test
  void intend_by_two_processes_of_one_number_is_true_for_one() {
    ProvisionerEntry unused = held("one");
    for (long number = 1; number <= 5; number++) {
      long wanted = number;
      Decision a = decision(wanted, "one", now());
      Decision b =
          new Decision(
              wanted,
              "one",
              a.atMillis(),
              1,
              "other-" + wanted,
              "",
              "",
              Map.of(),
              Decision.State.INTENDED,
              List.of(),
              "",
              a.atMillis());

      List<Boolean> made =
          AtOnce.call(
              () -> Insist.on(() -> store().intend(a)), () -> Insist.on(() -> store().intend(b)));

      assertThat(made).containsExactlyInAnyOrder(true, false);
      assertThat(store().decisions(wanted, wanted)).containsExactly(made.getFirst() ? a : b);
    }
  }

  @Test
  void intend_under_a_lost_lease_changes_nothing() {
    ProvisionerEntry first = held("one");
    ProvisionerEntry next = entry("two", first.updatedMillis() + 20_000);
    assertThat(store().take(next, Optional.of(first))).isTrue();

    assertThat(store().intend(decision(1, "one", now()))).isFalse();

    assertThat(store().decisions(1, 9)).isEmpty();
    assertThat(store().provisioner()).contains(next);
  }

  @Test
  void intend_without_any_lease_changes_nothing() {
    assertThat(store().intend(decision(1, "one", now()))).isFalse();

    assertThat(store().decisions(1, 9)).isEmpty();
    assertThat(store().provisioner()).isEmpty();
  }

  @Test
  void intend_of_a_number_that_is_not_the_next_changes_nothing() {
    ProvisionerEntry holder = held("one");

    assertThat(store().intend(decision(2, "one", now()))).isFalse();
    Decision first = intended(1, "one");
    Decision taken =
        new Decision(
            1,
            "one",
            now(),
            1,
            "another token",
            "",
            "",
            Map.of(),
            Decision.State.INTENDED,
            List.of(),
            "",
            now());
    assertThat(store().intend(taken)).isFalse();

    assertThat(store().decisions(0, 9)).containsExactly(first);
    assertThat(store().provisioner()).contains(holder.withNextDecision(2));
  }

  @Test
  void numbers_go_on_under_the_next_holder() {
    ProvisionerEntry first = held("one");
    Decision mine = intended(1, "one");
    ProvisionerEntry next = entry("two", 2, first.updatedMillis() + 20_000);
    assertThat(store().take(next, Optional.of(current()))).isTrue();

    Decision other = intended(2, "two");

    assertThat(store().decisions(1, 2)).containsExactly(mine, other);
  }

  @Test
  void update_writes_how_far_it_is_and_nothing_else() {
    ProvisionerEntry unused = held("one");
    Decision decision = intended(1, "one");
    Decision said =
        new Decision(
            1,
            "two",
            5,
            9,
            decision.token(),
            "another",
            "",
            Map.of(),
            Decision.State.LAUNCHED,
            List.of("i-1", "i-2"),
            "one was refused",
            now() + 1);

    assertThat(store().update(said)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(decision.asFarAs(said));
  }

  @Test
  void update_made_twice_is_true_both_times() {
    ProvisionerEntry unused = held("one");
    Decision launched = intended(1, "one").launched(List.of("i-1"), "", now() + 5);

    assertThat(store().update(launched)).isTrue();
    assertThat(store().update(launched)).isTrue();
    Decision closed = launched.closed("all came up", now() + 9);
    assertThat(store().update(closed)).isTrue();
    assertThat(store().update(closed)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(closed);
  }

  @Test
  void update_that_is_older_changes_nothing() {
    ProvisionerEntry unused = held("one");
    Decision launched = intended(1, "one").launched(List.of("i-1"), "", now() + 5);
    Decision closed = launched.closed("", now() + 9);
    assertThat(store().update(closed)).isTrue();

    assertThat(store().update(launched)).isFalse();
    assertThat(store().update(launched.closed("of the same moment", closed.updatedMillis() - 1)))
        .as("as new, and not the same")
        .isFalse();

    assertThat(store().decisions(1, 1)).containsExactly(closed);
  }

  @Test
  void update_of_another_token_or_of_none_changes_nothing() {
    ProvisionerEntry unused = held("one");
    Decision decision = intended(1, "one");
    Decision other = decision(1, "two", now()).launched(List.of("i-9"), "", now() + 5);

    assertThat(store().update(other)).isFalse();
    assertThat(store().update(decision(2, "one", now()))).isFalse();

    assertThat(store().decisions(0, 9)).containsExactly(decision);
  }

  @Test
  void update_asks_for_no_lease() {
    ProvisionerEntry first = held("one");
    Decision decision = intended(1, "one");
    ProvisionerEntry next = entry("two", 2, first.updatedMillis() + 20_000);
    assertThat(store().take(next, Optional.of(current()))).isTrue();

    Decision launched = decision.launched(List.of("i-1"), "", now() + 5);
    assertThat(store().update(launched)).isTrue();

    assertThat(store().decisions(1, 1)).containsExactly(launched);
  }

  @Test
  void decisions_are_those_between_both_numbers_in_order() {
    ProvisionerEntry unused = held("one");
    List<Decision> made =
        LongStream.rangeClosed(1, 120).mapToObj(number -> intended(number, "one")).toList();

    assertThat(store().decisions(2, 4)).containsExactlyElementsOf(made.subList(1, 4));
    assertThat(store().decisions(0, 200)).containsExactlyElementsOf(made);
    assertThat(store().decisions(119, 300)).containsExactlyElementsOf(made.subList(118, 120));
    assertThat(store().decisions(5, 4)).isEmpty();
    assertThat(store().decisions(121, 140)).isEmpty();
  }

  @Test
  void table_that_does_not_exist_is_named() {
    DecisionStore missing = fixture().missing().decisions();
    long now = now();
    List<ThrowingCallable> calls =
        List.of(
            missing::provisioner,
            () -> missing.take(entry("one", now), Optional.empty()),
            () -> missing.renew(entry("one", now)),
            () -> missing.intend(decision(1, "one", now)),
            () -> missing.update(decision(1, "one", now)),
            () -> missing.decisions(1, 2));

    assertThat(calls)
        .allSatisfy(call ->
            assertThatThrownBy(call)
                .isInstanceOf(MissingResourceException.class)
                .hasMessageContaining(fixture().missing().name()));
  }
}
