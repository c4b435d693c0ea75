package io.cloudkon.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.provisioner.record.DecisionReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProvisionerServiceTest {
  private static final Duration LEASE_OVER = Duration.ofSeconds(18);

  private final ProvisionerBed bed = new ProvisionerBed();

  /** Ends a provisioner at a step, as by SIGKILL. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private ProvisionerEntry entry() {
    return bed.reliable.decisions().provisioner().orElseThrow();
  }

  private void dieAt(HaltPoint step) {
    dieAt(step, bed.memory());
  }

  private void dieAt(HaltPoint step, InstanceLauncher launcher) {
    ProvisionerService dying =
        bed.provisioner(
            "dying",
            ProvisionerBed.MAX,
            launcher,
            point -> {
              if (point == step) {
                throw new Killed();
              }
            });
    try {
      bed.steps(dying, 1);
    } catch (Killed e) {
      return;
    }
    throw new AssertionError("it never came to " + step);
  }

  @Test
  void one_answer_that_a_queue_does_not_exist_ends_nothing() {
    AtomicBoolean missing = new AtomicBoolean();
    ProvisionerService provisioner = bed.seeing("a", whole -> saying(whole, missing));
    bed.steps(provisioner, 1);
    missing.set(true);
    bed.steps(provisioner, 10);
    missing.set(false);
    bed.backlog();

    bed.steps(provisioner, 20);

    assertThat(bed.memory().existing()).isEqualTo(ProvisionerBed.MAX);
  }

  @Test
  void cluster_that_is_missing_for_15_s_is_gone() {
    AtomicBoolean missing = new AtomicBoolean();
    ProvisionerService provisioner = bed.seeing("a", whole -> saying(whole, missing));
    bed.steps(provisioner, 1);
    missing.set(true);

    assertThatThrownBy(() -> bed.steps(provisioner, 20))
        .isInstanceOf(MissingResourceException.class);
    ProvisionerService another = bed.seeing("b", whole -> saying(whole, missing));
    bed.time.advance(LEASE_OVER);
    assertThatThrownBy(() -> bed.steps(another, 60)).isInstanceOf(MissingResourceException.class);
  }

  private static Cluster saying(Cluster whole, AtomicBoolean missing) {
    return Intercepted.requests(
        whole,
        (method, arguments, call) -> {
          if (missing.get()) {
            throw new MissingResourceException("queue", "Q", null);
          }
          return call.make();
        });
  }

  @Test
  void backlog_is_launched_for_within_the_first_step() {
    bed.backlog();

    bed.steps(bed.provisioner("a"), 1);

    assertThat(bed.memory().existing()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions()).hasSize(1);
    Decision made = bed.decisions().getFirst();
    assertThat(made.state()).isEqualTo(Decision.State.LAUNCHED);
    assertThat(made.instances()).hasSize(ProvisionerBed.MAX);
    assertThat(made.token()).hasSizeLessThanOrEqualTo(64).startsWith("Q-1-");
    assertThat(made.reason()).isNotEmpty();
    assertThat(made.observation()).isNotEmpty();
    assertThat(made.request()).isEqualTo(bed.memory().request());
  }

  @Test
  void what_boots_is_not_launched_again_and_its_decision_closes_when_all_registered() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 10);
    assertThat(entry().fleet().booting()).isEqualTo(ProvisionerBed.MAX);

    bed.memory().instances().forEach(bed::register);
    bed.steps(provisioner, 2);

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions().getFirst().state()).isEqualTo(Decision.State.CLOSED);
    assertThat(entry().fleet().live()).isEqualTo(ProvisionerBed.MAX);
    assertThat(entry().oldestOpen()).isEqualTo(2);
  }

  @Test
  void launch_that_failed_says_what_its_launcher_knows_where_status_and_explain_read_it() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 2);
    List<LaunchedInstance> failed = bed.memory().instances();
    failed.forEach(instance -> bed.memory().end(instance.id()));

    bed.steps(provisioner, 2);

    String first = failed.getFirst().id();
    String known = "; %s failed: %s".formatted(first, bed.memory().explanation(first));
    assertThat(bed.decisions().getFirst().error()).endsWith(known);
    assertThat(entry().fleet().reason()).contains("the last launch failed").endsWith(known);

    // Another one comes up: the matter is over.
    bed.steps(provisioner, 20);
    bed.memory().instances().stream()
        .filter(instance -> instance.state() != LaunchedInstance.State.ENDED)
        .forEach(bed::register);
    bed.steps(provisioner, 3);
    assertThat(entry().fleet().live()).isPositive();
    assertThat(entry().fleet().reason()).doesNotContain(first);
  }

  @Test
  void fleet_costs_what_it_has_cost_an_hour() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, 11);

    // three workers at 0.36 USD an hour, ten seconds
    assertThat(provisioner.fleet().usdPerHour()).isEqualTo(3 * 0.36);
    assertThat(provisioner.fleet().spentUsd()).isCloseTo(0.003, within(1e-9));
  }

  @Test
  void cost_counts_from_when_the_lease_was_taken_and_says_since_when() {
    bed.backlog();
    ProvisionerService first = bed.provisioner("a");
    long begun = bed.time.serviceMillis();
    bed.steps(first, 11);
    assertThat(entry().fleet().spentSince()).isEqualTo(begun);

    first.stop();
    ProvisionerService next = bed.provisioner("b");
    long taken = Long.MAX_VALUE;
    for (int i = 0; i < 60 && !next.holds(); i++) {
      taken = bed.time.serviceMillis();
      bed.steps(next, 1);
    }

    assertThat(next.fleet().spentUsd()).isZero();
    assertThat(next.fleet().spentSince()).isEqualTo(taken).isGreaterThan(begun);
  }

  private static org.assertj.core.data.Offset<Double> within(double offset) {
    return org.assertj.core.data.Offset.offset(offset);
  }

  @ParameterizedTest
  @EnumSource(HaltPoint.class)
  void provisioner_that_dies_at_a_step_leaves_the_rest_to_the_next_and_nothing_happens_twice(
      HaltPoint step) {
    bed.backlog();
    dieAt(step);
    ProvisionerService next = bed.provisioner("next");
    bed.steps(next, 5);
    int before = bed.memory().launched();
    assertThat(bed.memory().launched()).isLessThanOrEqualTo(ProvisionerBed.MAX);

    bed.time.advance(LEASE_OVER);
    bed.steps(next, 5);

    assertThat(next.holds()).isTrue();
    assertThat(before).isIn(0, ProvisionerBed.MAX);
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().state()).isEqualTo(Decision.State.LAUNCHED);
  }

  @Test
  void answer_of_the_launcher_that_is_lost_is_asked_for_again_under_its_token() {
    bed.backlog();
    bed.memory().loseAnswers(2);

    bed.steps(bed.provisioner("a"), 5);

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().instances()).hasSize(ProvisionerBed.MAX);
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"DECISION_INTEND", "DECISION_UPDATE", "DECISION_TAKE", "DECISION_RENEW"})
  void answer_of_the_table_that_is_lost_makes_no_second_launch(Operation operation) {
    bed.backlog();
    bed.faults.at(operation, 1, Fate.ANSWER_LOST);

    bed.steps(bed.provisioner("a"), 8);

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().state()).isEqualTo(Decision.State.LAUNCHED);
  }

  @Test
  void table_that_is_away_lets_nothing_be_launched_until_it_is_back() {
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 2);
    bed.backlog();
    bed.faults.always(Operation.RUN_LIST, Fate.THROTTLED);
    bed.faults.always(Operation.DECISION_INTEND, Fate.THROTTLED);

    bed.steps(provisioner, 5);
    assertThat(bed.memory().launched()).isZero();
    bed.faults.always(Operation.RUN_LIST, Fate.CARRIED_OUT);
    bed.steps(provisioner, 5);
    assertThat(bed.memory().launched()).isZero();

    bed.faults.always(Operation.DECISION_INTEND, Fate.CARRIED_OUT);
    bed.steps(provisioner, 3);
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
  }

  @ParameterizedTest
  @CsvSource({
    "DECISION_READ, 1, 1",
    "DECISION_READ, 1, 3",
    "DECISION_PROVISIONER, 2, 2",
    "DECISION_PROVISIONER, 2, 4",
  })
  void open_decision_is_not_forgotten_when_the_table_cannot_be_read(
      Operation read, int first, int last) {
    bed.backlog();
    dieAt(HaltPoint.AFTER_CALL);
    bed.memory().listDelay(Duration.ofDays(1));
    bed.time.advance(LEASE_OVER);
    for (int i = first; i <= last; i++) {
      bed.faults.at(read, i, Fate.THROTTLED);
    }
    ProvisionerService next = bed.provisioner("next");

    for (int i = 0; i < 8; i++) {
      bed.steps(next, 1);
      bed.time.advanceMillis(LeaseSettings.DEFAULT.heartbeat());
      assertThat(entry().oldestOpen()).isEqualTo(1);
    }

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions()).hasSize(1);
  }

  @Test
  void intent_that_has_no_room_any_more_is_not_carried_out() {
    bed.backlog();
    dieAt(HaltPoint.AFTER_INTENT);
    bed.time.advance(LEASE_OVER);
    ProvisionerService next = bed.provisioner("next", 1, bed.memory(), HaltPoint.Reached.IGNORED);

    bed.steps(next, 20);
    assertThat(bed.memory().launched()).isZero();
    assertThat(bed.decisions().getFirst().open()).isTrue();
    bed.steps(next, 60);

    assertThat(bed.decisions().getFirst().error()).isEqualTo("none of its workers was ever seen");
    assertThat(bed.memory().launched()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = HaltPoint.class,
      names = {"AFTER_INTENT", "AFTER_CALL"})
  void intent_of_days_ago_launches_nothing_into_an_empty_cluster(HaltPoint step) {
    bed.backlog();
    dieAt(step);
    int before = bed.memory().launched();
    bed.memory().terminate(bed.memory().instances().stream().map(LaunchedInstance::id).toList());
    assertThat(bed.reliable.runs().cancel("run", bed.time.serviceMillis())).isPresent();
    bed.time.advance(Duration.ofDays(2));

    ProvisionerService next = bed.provisioner("next");
    bed.steps(next, 80);

    assertThat(next.holds()).isTrue();
    assertThat(bed.memory().launched()).isEqualTo(before);
    assertThat(bed.decisions()).extracting(Decision::open).containsExactly(false);
  }

  @Test
  void intent_of_long_ago_that_takes_all_the_room_is_replaced_at_once() {
    bed.backlog();
    dieAt(HaltPoint.AFTER_INTENT);
    bed.time.advance(Duration.ofMinutes(30));

    bed.steps(bed.provisioner("next"), 10);

    assertThat(bed.decisions().getFirst().error()).isEqualTo("none of its workers was ever seen");
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
  }

  @Test
  void launch_that_is_never_answered_keeps_no_instance_from_being_ended() {
    var unused = bed.memory().launch("Q-0-left", 1, bed.memory().request());
    UnansweredLauncher launcher = new UnansweredLauncher(bed.memory());
    ProvisionerService provisioner =
        bed.provisioner("a", ProvisionerBed.MAX, launcher, HaltPoint.Reached.IGNORED);
    bed.backlog();

    bed.steps(provisioner, 150);

    assertThat(launcher.asked()).isGreaterThan(1);
    assertThat(bed.memory().existing()).isZero();
    assertThat(bed.decisions()).anyMatch(Decision::open);
  }

  @Test
  void intent_that_has_no_room_any_more_is_withdrawn_at_once_where_that_is_sure() {
    bed.backlog();
    WithdrawingLauncher launcher = new WithdrawingLauncher(bed.memory(), "here");
    dieAt(HaltPoint.AFTER_INTENT, launcher);
    bed.time.advance(LEASE_OVER);
    ProvisionerService next = bed.provisioner("next", 1, launcher, HaltPoint.Reached.IGNORED);

    bed.steps(next, 2);

    assertThat(launcher.withdrawn()).containsExactly(bed.decisions().getFirst().token());
    assertThat(bed.decisions().getFirst().error()).contains("no room");
    assertThat(bed.memory().launched()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = HaltPoint.class,
      names = {"AFTER_INTENT", "AFTER_CALL", "AFTER_RECORD"})
  void launch_that_another_machine_left_holds_nobody_up_for_long(HaltPoint step) {
    bed.backlog();
    ProvisionerBed there = new ProvisionerBed();
    dieAt(step, new WithdrawingLauncher(there.memory(), "there"));
    bed.time.advance(LEASE_OVER);
    ProvisionerService next =
        bed.provisioner(
            "next",
            ProvisionerBed.MAX,
            new WithdrawingLauncher(bed.memory(), "here"),
            HaltPoint.Reached.IGNORED);

    bed.steps(next, 25);
    assertThat(bed.memory().launched()).isZero();
    assertThat(next.fleet().booting()).isEqualTo(ProvisionerBed.MAX);
    bed.steps(next, 8);

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions().getFirst().error())
        .isEqualTo("it was made on another machine, or its request cannot be read");
    assertThat(next.fleet().failures()).isEmpty();
  }

  @Test
  void queue_whose_depth_cannot_be_read_does_not_stop_what_runs_ask_for() {
    bed.backlog();
    bed.faults.always(Operation.REQUEST_DEPTH, Fate.THROTTLED);
    bed.faults.always(Operation.JOB_DEPTH, Fate.THROTTLED);

    bed.steps(bed.provisioner("a"), 1);

    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
  }

  @Test
  void second_provisioner_waits_until_the_first_lets_go() throws Exception {
    bed.backlog();
    ProvisionerService first = bed.provisioner("first");
    ProvisionerService second = bed.provisioner("second");
    bed.steps(first, 1);
    for (int i = 0; i < 60; i++) {
      bed.steps(second, 1);
      bed.steps(first, 1);
    }
    assertThat(second.holds()).isFalse();
    assertThat(bed.decisions()).allMatch(made -> made.holder().equals("first"));

    first.stop();
    first.run();
    assertThat(entry().livesAt(bed.time.serviceMillis())).isFalse();
    bed.steps(second, 6);

    assertThat(second.holds()).isTrue();
    assertThat(entry().holder()).isEqualTo("second");
  }

  @Test
  void provisioner_that_was_frozen_past_its_lease_launches_nothing_more() {
    ProvisionerService next = bed.provisioner("next");
    ProvisionerService frozen =
        bed.provisioner(
            "frozen",
            point -> {
              if (point == HaltPoint.BEFORE_INTENT) {
                bed.time.advance(LEASE_OVER.multipliedBy(3));
                bed.steps(next, 3);
              }
            });
    bed.backlog();

    bed.steps(frozen, 5);

    assertThat(frozen.holds()).isFalse();
    assertThat(next.holds()).isTrue();
    assertThat(bed.decisions()).extracting(Decision::holder).containsOnly("next");
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
  }

  @Test
  void provisioner_that_was_frozen_between_intent_and_call_does_no_harm() {
    ProvisionerService next = bed.provisioner("next");
    ProvisionerService frozen =
        bed.provisioner(
            "frozen",
            point -> {
              if (point == HaltPoint.AFTER_INTENT) {
                bed.time.advance(LEASE_OVER.multipliedBy(3));
                bed.steps(next, 3);
              }
            });
    bed.backlog();

    bed.steps(frozen, 5);

    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().holder()).isEqualTo("frozen");
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    List<String> told =
        new DecisionReport(bed.reliable.decisions(), bed.time.serviceMillis()).lines();
    assertThat(told).anyMatch(line -> line.equals("handover: from frozen to next"));
  }

  @Test
  void refusal_is_written_with_its_reason_and_counted() {
    bed.backlog();
    bed.memory().refuse(new Failure(Failure.Kind.QUOTA, "limit-reached", "ask for more"));
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, 3);

    Decision refused = bed.decisions().getFirst();
    assertThat(refused.state()).isEqualTo(Decision.State.CLOSED);
    assertThat(refused.error()).isEqualTo("limit-reached: ask for more");
    assertThat(provisioner.fleet().failures()).containsEntry("limit-reached", 1L);

    Map<String, @Nullable Object> facts =
        new DecisionReport(bed.reliable.decisions(), bed.time.serviceMillis()).facts("Q");
    assertThat(facts.get("provisioner"))
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .contains(Map.entry("id", "a"), Map.entry("alive", true));
    assertThat(facts.get("decisions"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .first(InstanceOfAssertFactories.map(String.class, Object.class))
        .contains(Map.entry("number", 1L), Map.entry("state", "CLOSED"))
        .containsEntry("error", "limit-reached: ask for more");
  }

  @Test
  void facts_of_a_cluster_without_a_provisioner_are_empty() {
    Map<String, @Nullable Object> facts =
        new DecisionReport(bed.reliable.decisions(), bed.time.serviceMillis()).facts("Q");

    assertThat(facts)
        .containsEntry("cluster", "Q")
        .containsEntry("provisioner", null)
        .containsEntry("decisions", List.of());
  }

  @Test
  void own_launch_that_can_never_work_ends_it_with_one_line_and_lets_the_lease_go() {
    bed.backlog();
    bed.memory().refuse(new Failure(Failure.Kind.CONFIGURATION, "no-such-type", "look at it"));
    ProvisionerService provisioner = bed.provisioner("a");

    assertThatThrownBy(provisioner::run)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no-such-type: look at it");

    assertThat(bed.memory().launched()).isZero();
    assertThat(bed.decisions()).extracting(Decision::state).containsExactly(Decision.State.CLOSED);
    assertThat(entry().lease().letGo()).isTrue();
  }

  @Test
  void anothers_launch_that_can_never_work_is_closed_and_its_successor_goes_on() {
    bed.backlog();
    dieAt(HaltPoint.AFTER_INTENT);
    bed.memory().refuse(new Failure(Failure.Kind.CONFIGURATION, "other-machine", "not here"));
    ProvisionerService next = bed.provisioner("next");
    bed.steps(next, 1);

    bed.time.advance(LEASE_OVER);
    bed.steps(next, 1);

    assertThat(next.holds()).isTrue();
    assertThat(bed.decisions().getFirst().error()).isEqualTo("other-machine: not here");
  }

  @Test
  void instances_that_never_register_are_ended_and_replaced() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, 59);
    assertThat(bed.memory().launched()).isEqualTo(ProvisionerBed.MAX);
    bed.steps(provisioner, 60);

    assertThat(bed.memory().launched()).isGreaterThan(ProvisionerBed.MAX);
    assertThat(bed.memory().existing()).isLessThanOrEqualTo(ProvisionerBed.MAX);
    assertThat(bed.decisions().getFirst().state()).isEqualTo(Decision.State.CLOSED);
    assertThat(bed.decisions().getFirst().error()).contains("did not register");
  }

  @Test
  void dry_run_says_what_it_would_launch_and_writes_nothing() {
    bed.backlog();
    ProvisionerService live = bed.provisioner("live");
    bed.steps(live, 1);
    ProvisionerEntry before = entry();
    ProvisionerBed empty = new ProvisionerBed();
    empty.backlog();

    assertThat(empty.dryRun().look()).startsWith("would launch 3 workers: ");
    assertThat(bed.dryRun().look()).startsWith("would launch nothing: ");

    assertThat(empty.reliable.decisions().provisioner()).isEmpty();
    assertThat(entry()).isEqualTo(before);
  }
}
