package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect.Close;
import io.cloudkon.core.protocol.bundle.BundleEffect.NoteSick;
import io.cloudkon.core.protocol.bundle.BundleEffect.PutBack;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendChild;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendDead;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendFailed;
import io.cloudkon.core.protocol.bundle.BundleEffect.SendResults;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.ClaimState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bundle whose worker cannot start tasks: it is given back, and five workers are enough. */
class BundleSickTest {
  private static final String BUNDLE = "run/e/0";

  /** Task 0 ran, and task 1 could not be started. */
  private static BundleBench sick(Consistency mode) {
    BundleBench bench = BundleBench.running(mode);
    bench.takeTasks(2);
    bench.on(new BundleEvent.Sick(Positions.of(1), "its disk is full"));
    bench.on(new BundleEvent.Finished(Positions.of(0), 100));
    return bench.on(new BundleEvent.Interrupted(Positions.of(1), Positions.none()));
  }

  @ParameterizedTest
  @EnumSource
  void sick_worker_sends_what_ran_and_notes_that_it_is_sick_before_it_gives_back(Consistency mode) {
    BundleBench bench = sick(mode);

    assertThat(bench.asked()).containsExactly(new SendResults(Positions.of(0)));
    bench.accepted(0);
    assertThat(bench.asked()).containsExactly(new NoteSick(BUNDLE));
    assertThat(bench.calls).isEmpty();
    bench.on(new BundleEvent.SickNoted(BUNDLE, 4));
    if (mode.claims()) {
      assertThat(bench.write().state()).isEqualTo(ClaimState.RELEASED);
      assertThat(bench.write().releases()).isEqualTo(1);
      assertThat(bench.write().started())
          .isEqualTo(mode == Consistency.AT_MOST_ONCE ? Positions.of(0) : Positions.none());
      bench.answer();
      assertThat(bench.item.countedAttempts()).isZero();
    }
    assertThat(bench.asked()).containsExactly(new PutBack(0), new Close(Reason.GIVEN_BACK));
  }

  @ParameterizedTest
  @EnumSource
  void fifth_sick_worker_reports_FAILED_with_the_reason(Consistency mode) {
    BundleBench bench = sick(mode).accepted(0);
    bench.asked();

    bench.on(new BundleEvent.SickNoted(BUNDLE, 5));

    Positions rest = Positions.of(1, 2, 3);
    String reason =
        "5 workers could not start it, and it is not tried again; the last one reported: its disk"
            + " is full";
    assertThat(bench.asked()).containsExactly(new SendDead(rest, reason));
    bench.letterAccepted();
    assertThat(bench.asked()).containsExactly(new SendFailed(rest, reason));
    bench.accepted(1, 2, 3);
    if (mode.claims()) {
      bench.answer();
      assertThat(bench.item.state()).isEqualTo(ClaimState.DONE);
    }
    assertThat(bench.asked()).containsExactly(new BundleEffect.DeleteMessage());
  }

  @Test
  void note_that_could_not_be_taken_is_taken_again() {
    BundleBench bench = sick(Consistency.EXACTLY_ONCE).accepted(0);
    bench.asked();

    bench.on(new BundleEvent.SickNoteFailed(BUNDLE));

    assertThat(bench.asked()).containsExactly(new NoteSick(BUNDLE));
  }

  /** The worker is well otherwise, and is the fifth that cannot start these tasks. */
  private static BundleBench fifth(BundleBench bench, int... refused) {
    Positions taken = bench.takeTasks(BundleBench.TASKS);
    bench.on(new BundleEvent.Sick(Positions.of(refused), "its bucket refuses it", 30_000));
    bench.on(new BundleEvent.Interrupted(taken, Positions.none()));
    bench.asked();
    return bench.on(new BundleEvent.SickNoted(bench.id, 5)).letterAccepted();
  }

  /** The children that its claim has by now. */
  private static List<Positions> children(BundleBench bench) {
    while (!bench.calls.isEmpty()) {
      bench.answer();
    }
    return Objects.requireNonNull(bench.item).children().values().stream()
        .map(Child::tasks)
        .toList();
  }

  private static Positions failed(BundleBench bench) {
    return bench.asked().stream()
        .filter(SendFailed.class::isInstance)
        .map(effect -> ((SendFailed) effect).tasks())
        .reduce(Positions.none(), Positions::plus);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACTLY_ONCE", "AT_MOST_ONCE"})
  void task_that_five_workers_could_not_start_is_FAILED_alone_and_the_rest_goes_on_as_a_child(
      Consistency mode) {
    BundleBench bench = fifth(BundleBench.running(mode), 0);

    assertThat(failed(bench)).isEqualTo(Positions.of(0));
    assertThat(children(bench)).containsExactly(Positions.of(1, 2, 3));
    assertThat(bench.asked()).contains(new SendChild(1, Positions.of(1, 2, 3)));

    bench.on(new BundleEvent.ChildAccepted(1));
    bench.accepted(0);
    bench.on(new BundleEvent.DeadAccepted());
    bench.answer();
    assertThat(bench.item.state()).isEqualTo(ClaimState.DONE);
  }

  @Test
  void without_a_claim_nothing_is_handed_on_and_all_are_FAILED() {
    BundleBench bench = fifth(BundleBench.running(Consistency.AT_LEAST_ONCE), 0);

    assertThat(failed(bench)).isEqualTo(BundleBench.ALL);
  }

  @Test
  void rest_of_a_child_is_halved_so_that_many_such_tasks_end_soon() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE, "n1", 0, 1, "run/e/0/1");

    fifth(bench.begin(), 0);

    assertThat(failed(bench)).isEqualTo(Positions.of(0));
    assertThat(children(bench)).containsExactly(Positions.of(1), Positions.of(2, 3));
  }

  @Test
  void last_task_that_could_not_be_started_leaves_no_child() {
    BundleBench bench = fifth(BundleBench.running(Consistency.EXACTLY_ONCE), 0, 1, 2, 3);

    assertThat(failed(bench)).isEqualTo(BundleBench.ALL);
    assertThat(bench.calls).isEmpty();
  }

  @Test
  void worker_that_can_start_nothing_fails_what_is_pending_and_what_waits_for_a_try_goes_on() {
    BundleBench bench = new BundleBench(Consistency.EXACTLY_ONCE, "n1", 3, 1).begin();
    bench.takeTasks(4);
    bench.failed(0);
    bench.on(new BundleEvent.Sick(Positions.of(1), "its disk is full"));
    bench.on(new BundleEvent.Interrupted(Positions.of(1, 2, 3), Positions.none()));
    bench.asked();

    bench.on(new BundleEvent.SickNoted(BUNDLE, 5)).letterAccepted();

    assertThat(failed(bench)).isEqualTo(Positions.of(1, 2, 3));
    assertThat(children(bench)).containsExactly(Positions.of(0));
  }
}
