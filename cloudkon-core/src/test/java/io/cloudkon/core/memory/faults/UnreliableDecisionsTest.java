package io.cloudkon.core.memory.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.DecisionStore;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Decisions and seats whose calls fail, lose their answers, or come late. */
final class UnreliableDecisionsTest {
  private final ManualTime time = new ManualTime();
  private final Cluster reliable = new MemoryCloud(time).setup("Q");
  private final ScriptedPlan plan = new ScriptedPlan();
  private final UnreliableCluster faults = new UnreliableCluster(reliable, plan);
  private final DecisionStore store = faults.cluster().decisions();

  private static ProvisionerEntry entry(String holder, long now) {
    return new ProvisionerEntry(
        holder,
        "host",
        now + 15_000,
        new ProvisionerEntry.Settings("process", 0, 4, 2, WorkerTakes.ALL),
        1,
        1,
        ProvisionerEntry.Fleet.UNSEEN,
        now);
  }

  private static Decision decision(String holder, long now) {
    return new Decision(
        1,
        holder,
        now,
        2,
        "token-" + holder,
        "",
        "",
        Map.of(),
        Decision.State.INTENDED,
        List.of(),
        "",
        now);
  }

  private ProvisionerEntry current() {
    return reliable.decisions().provisioner().orElseThrow();
  }

  @Test
  void every_call_on_decisions_meets_its_fate() {
    Operation.dynamodb().stream()
        .filter(operation -> operation.port() == Port.DECISIONS)
        .forEach(operation -> plan.always(operation, Fate.THROTTLED));
    List<Runnable> calls =
        List.of(
            store::provisioner,
            () -> store.take(entry("p", 1), Optional.empty()),
            () -> store.renew(entry("p", 1)),
            () -> store.intend(decision("p", 1)),
            () -> store.update(decision("p", 1)),
            () -> store.decisions(1, 1),
            () -> store.sit(new IdleSeat(0, "w", 10), 1),
            () -> store.leave(0, "w"),
            store::seats);

    assertThat(calls)
        .allSatisfy(
            call -> assertThatThrownBy(call::run).isInstanceOf(TransientServiceException.class));
    assertThat(faults.count(Port.DECISIONS, Fate.THROTTLED)).isEqualTo(calls.size());
    assertThat(reliable.decisions().provisioner()).isEmpty();
    assertThat(reliable.decisions().seats()).isEmpty();
  }

  @Test
  void calls_whose_answers_are_lost_are_true_when_they_are_made_again() {
    plan.at(Operation.DECISION_TAKE, 1, Fate.ANSWER_LOST)
        .at(Operation.DECISION_RENEW, 1, Fate.ANSWER_LOST)
        .at(Operation.DECISION_INTEND, 1, Fate.ANSWER_LOST)
        .at(Operation.DECISION_UPDATE, 1, Fate.ANSWER_LOST)
        .at(Operation.SEAT_SIT, 1, Fate.ANSWER_LOST);
    Decision launched = decision("p", 20).launched(List.of("i-1"), "", 30);
    List<BooleanSupplier> calls =
        List.of(
            () -> store.take(entry("p", 1), Optional.empty()),
            () -> store.renew(entry("p", 10)),
            () -> store.intend(decision("p", 20)),
            () -> store.update(launched),
            () -> store.sit(new IdleSeat(0, "w", 10), 1));

    assertThat(calls)
        .allSatisfy(call -> {
          assertThatThrownBy(call::getAsBoolean).isInstanceOf(TransientServiceException.class);
          assertThat(call.getAsBoolean()).isTrue();
        });
    assertThat(current()).isEqualTo(entry("p", 10).withNextDecision(2));
    assertThat(store.decisions(1, 1)).containsExactly(launched);
  }

  @Test
  void late_copies_of_older_writes_undo_nothing() {
    plan.at(Operation.DECISION_RENEW, 1, Fate.COPIED)
        .at(Operation.DECISION_INTEND, 1, Fate.COPIED)
        .at(Operation.DECISION_UPDATE, 1, Fate.COPIED)
        .at(Operation.SEAT_SIT, 1, Fate.COPIED);
    assertThat(store.take(entry("p", 1), Optional.empty())).isTrue();
    assertThat(store.renew(entry("p", 10))).isTrue();
    assertThat(store.intend(decision("p", 20))).isTrue();
    assertThat(store.renew(entry("p", 30))).isTrue();
    Decision launched = decision("p", 20).launched(List.of("i-1"), "", 30);
    assertThat(store.update(launched)).isTrue();
    assertThat(store.update(launched.closed("", 40))).isTrue();
    assertThat(store.sit(new IdleSeat(0, "w", 10), 1)).isTrue();
    assertThat(store.sit(new IdleSeat(0, "w", 20), 5)).isTrue();

    faults.deliverLate();

    assertThat(current()).isEqualTo(entry("p", 30).withNextDecision(2));
    assertThat(store.decisions(1, 9)).containsExactly(launched.closed("", 40));
    assertThat(store.seats()).containsExactly(new IdleSeat(0, "w", 20));
  }

  @Test
  void writes_of_a_former_holder_that_come_late_change_nothing() {
    plan.at(Operation.DECISION_RENEW, 1, Fate.EFFECT_LATE)
        .at(Operation.DECISION_INTEND, 1, Fate.EFFECT_LATE);
    assertThat(store.take(entry("p", 1), Optional.empty())).isTrue();
    assertThatThrownBy(() -> store.renew(entry("p", 10)))
        .isInstanceOf(TransientServiceException.class);
    assertThatThrownBy(() -> store.intend(decision("p", 20)))
        .isInstanceOf(TransientServiceException.class);
    ProvisionerEntry next = entry("q", 20_000);
    assertThat(store.take(next, Optional.of(entry("p", 1)))).isTrue();

    faults.deliverLate();

    assertThat(current()).isEqualTo(next);
    assertThat(store.decisions(1, 9)).isEmpty();
  }
}
