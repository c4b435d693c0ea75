package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.completeness.CompletenessMachine.Verdict;
import io.cloudkon.core.protocol.table.IllegalTransitionException;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One final result for each task, whatever comes twice, late or never. */
class CompletenessMachineTest {
  private static final String FIRST = "run/e/0";
  private static final String SECOND = "run/e/1";

  private final CompletenessMachine machine =
      new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
  private Moment now = new Moment(100_000, 9_000_000);

  CompletenessMachineTest() {
    assertThat(machine.bundle(2)).isZero();
    assertThat(machine.bundle(2)).isEqualTo(1);
    machine.sent(0, now);
    machine.sent(1, now);
  }

  private List<CompletenessEffect> allSent() {
    return machine.allSent(now);
  }

  private List<CompletenessEffect> follow() {
    return machine.follow(now);
  }

  /** A receive of so many milliseconds brings nothing. */
  private void empty(long millis) {
    Moment begun = now;
    now = now.plus(millis);
    machine.received(0, begun, now);
  }

  private void offerAllButLast() {
    assertThat(machine.offer(FIRST, 0, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.offer(SECOND, 2, false)).isEqualTo(Verdict.FINAL);
    assertThat(allSent()).isEmpty();
  }

  @Test
  void run_is_complete_when_each_task_has_its_result() {
    offerAllButLast();
    assertThat(follow()).isEmpty();
    assertThat(machine.offer(SECOND, 3, false)).isEqualTo(Verdict.FINAL);
    assertThat(follow()).containsExactly(new CompletenessEffect.Complete());
    assertThat(machine.phase()).isEqualTo(CompletenessPhase.COMPLETE);
    assertThat(follow()).isEmpty();
    assertThat(machine.finished()).isEqualTo(4);
  }

  @Test
  void run_is_not_complete_before_everything_was_sent() {
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      assertThat(machine.offer("run/e/" + ordinal / 2, ordinal, false)).isEqualTo(Verdict.FINAL);
    }
    assertThat(follow()).isEmpty();
    assertThat(machine.phase()).isEqualTo(CompletenessPhase.SENDING);
    assertThat(allSent()).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void run_without_tasks_is_complete_at_once() {
    var none = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    assertThat(none.allSent(now)).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void everything_is_sent_once() {
    assertThat(allSent()).isEmpty();
    assertThatThrownBy(this::allSent).isInstanceOf(IllegalTransitionException.class);
  }

  @Test
  void second_result_of_a_task_is_dropped() {
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.DUPLICATE);
    assertThat(machine.offer(FIRST + "/1", 1, false)).isEqualTo(Verdict.DUPLICATE);
    assertThat(machine.offer(FIRST, 1, true)).isEqualTo(Verdict.DUPLICATE);
    assertThat(machine.finished()).isEqualTo(1);
  }

  @Test
  void result_of_another_run_epoch_or_ordinal_is_foreign() {
    assertThat(machine.offer("run2/e/0", 0, false)).isEqualTo(Verdict.FOREIGN);
    assertThat(machine.offer("run/e2/0", 0, false)).isEqualTo(Verdict.FOREIGN);
    assertThat(machine.offer(FIRST, -1, false)).isEqualTo(Verdict.FOREIGN);
    assertThat(machine.offer(FIRST, 4, false)).isEqualTo(Verdict.FOREIGN);
    assertThat(machine.finished()).isZero();
  }

  @Test
  void lost_is_provisional_and_a_real_result_replaces_it() {
    assertThat(machine.offer(FIRST, 1, true)).isEqualTo(Verdict.PROVISIONAL);
    assertThat(machine.offer(FIRST, 1, true)).isEqualTo(Verdict.DUPLICATE);
    assertThat(machine.provisionallyLost()).isEqualTo(1);
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.provisionallyLost()).isZero();
    assertThat(machine.finished()).isEqualTo(1);
  }

  @Test
  void lost_is_final_when_receives_came_back_empty_for_the_grace() {
    offerAllButLast();
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    machine.received(1, now, now);
    assertThat(follow()).isEmpty();
    assertThat(machine.phase()).isEqualTo(CompletenessPhase.GRACE);
    empty(7_000);
    empty(7_999);
    assertThat(follow()).isEmpty();
    empty(1);
    List<CompletenessEffect> end = follow();
    assertThat(end).hasSize(2);
    assertThat(((CompletenessEffect.FinalLost) end.getFirst()).ordinals()).containsExactly(3);
    assertThat(end.getLast()).isEqualTo(new CompletenessEffect.Complete());
    assertThat(machine.offer(SECOND, 3, false)).isEqualTo(Verdict.DUPLICATE);
  }

  @Test
  void real_result_during_the_grace_ends_the_run_at_once() {
    offerAllButLast();
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    assertThat(follow()).isEmpty();
    empty(10_000);
    assertThat(machine.offer(SECOND, 3, false)).isEqualTo(Verdict.FINAL);
    assertThat(follow()).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void any_message_begins_the_grace_anew() {
    offerAllButLast();
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    empty(14_999);
    machine.received(1, now, now);
    empty(14_999);
    assertThat(follow()).isEmpty();
    empty(1);
    assertThat(follow()).hasSize(2);
  }

  @Test
  void failed_receive_begins_the_grace_anew() {
    offerAllButLast();
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    empty(14_000);
    machine.receiveFailed(now);
    empty(14_000);
    assertThat(follow()).isEmpty();
    empty(1_000);
    assertThat(follow()).hasSize(2);
  }

  @Test
  void time_without_receives_is_no_silence() {
    offerAllButLast();
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    empty(100);
    now = now.plus(60_000);
    assertThat(follow()).isEmpty();
  }

  @Test
  void receives_that_were_empty_long_ago_say_nothing_of_what_came_since() {
    offerAllButLast();
    empty(20_000);
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    now = now.plus(1_000);
    assertThat(follow()).isEmpty();
    empty(5_000);
    assertThat(follow()).hasSize(2);
  }

  @Test
  void empty_receive_before_the_machine_slept_says_nothing_of_what_came_meanwhile() {
    offerAllButLast();
    empty(20_000);
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    now = new Moment(now.mono(), now.service() + 60_000);
    assertThat(follow()).isEmpty();
  }

  @Test
  void empty_receive_that_began_before_another_one_brought_something_proves_nothing() {
    offerAllButLast();
    Moment longAgo = now;
    now = now.plus(19_000);
    assertThat(machine.offer(SECOND, 3, true)).isEqualTo(Verdict.PROVISIONAL);
    machine.received(1, now, now);
    now = now.plus(1_000);
    machine.received(0, longAgo, now);
    assertThat(follow()).isEmpty();
  }

  @Test
  void open_tasks_of_a_bundle_are_those_without_a_final_result() {
    assertThat(machine.offer(SECOND, 3, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.open(SECOND)).containsExactly(2);
    assertThat(machine.open(SECOND + "/4")).containsExactly(2);
    assertThat(machine.open("run/e/7")).isEmpty();
    assertThat(machine.open("other/e/1")).isEmpty();
    assertThat(machine.open("run/e/x")).isEmpty();
  }

  @Test
  void bundle_is_closed_when_its_last_task_is_final() {
    assertThat(machine.offer(FIRST, 0, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.closed(0)).isFalse();
    assertThat(machine.offer(FIRST, 1, true)).isEqualTo(Verdict.PROVISIONAL);
    assertThat(machine.closed(0)).isFalse();
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.FINAL);
    assertThat(machine.closed(0)).isTrue();
    assertThat(machine.closed(1)).isFalse();
  }

  @Test
  void accounts_of_many_bundles_find_each_task() {
    var many = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    for (int i = 0; i < 5_000; i++) {
      assertThat(many.bundle(1 + i % 7)).isEqualTo(i);
    }
    int tasks = many.tasks();
    for (int ordinal = tasks - 1; ordinal >= 0; ordinal--) {
      assertThat(many.offer("run/e/0", ordinal, false)).isEqualTo(Verdict.FINAL);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(many.closed(i)).isTrue();
    }
    assertThat(many.allSent(now)).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void resumed_run_goes_on_where_the_former_client_stopped() {
    var resumed = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    assertThat(resumed.bundle(2)).isZero();
    assertThat(resumed.bundle(2)).isEqualTo(1);
    resumed.restoreFinal(0);
    resumed.restoreFinal(0);
    resumed.restoreFinal(1);
    resumed.restoreFinal(2);
    resumed.restoreLost(3);
    resumed.restoreLost(0);
    resumed.restoreSent(1, 5_000, now);
    assertThat(resumed.finished()).isEqualTo(3);
    assertThat(resumed.provisionallyLost()).isEqualTo(1);
    assertThat(resumed.closed(0)).isTrue();
    assertThat(resumed.offer(FIRST, 1, false)).isEqualTo(Verdict.DUPLICATE);
    assertThat(resumed.bundle(1)).isEqualTo(2);
    assertThat(resumed.offer("run/e/2", 4, false)).isEqualTo(Verdict.FINAL);
    assertThat(resumed.allSent(now)).isEmpty();
    assertThat(resumed.phase()).isEqualTo(CompletenessPhase.GRACE);
  }

  @Test
  void grace_begins_anew_after_a_resume_and_is_longer() {
    var resumed = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    resumed.resumed();
    assertThat(resumed.bundle(1)).isZero();
    resumed.restoreSent(0, 3_600_000, now);
    resumed.restoreLost(0);
    assertThat(resumed.allSent(now)).isEmpty();
    assertThat(resumed.follow(now)).isEmpty();
    resumed.received(0, now, now.plus(20_000));
    resumed.received(0, now.plus(20_000), now.plus(44_999));
    assertThat(resumed.follow(now.plus(44_999))).isEmpty();
    resumed.received(0, now.plus(44_999), now.plus(45_000));
    assertThat(resumed.follow(now.plus(45_000))).hasSize(2);
  }

  @Test
  void bundle_that_the_queue_has_forgotten_is_looked_at_at_once_after_a_resume() {
    var resumed = new CompletenessMachine("run", "e", false, CompletenessSettings.DEFAULT);
    assertThat(resumed.bundle(1)).isZero();
    assertThat(resumed.bundle(1)).isEqualTo(1);
    resumed.restoreSent(0, 14L * 24 * 3_600_000, now);
    resumed.restoreSent(1, 12L * 24 * 3_600_000, now);
    assertThat(resumed.lookForSilence(now))
        .singleElement()
        .isInstanceOfSatisfying(
            CompletenessEffect.Resend.class,
            resend -> assertThat(resend.bundle()).isEqualTo(FIRST));
  }

  @Test
  void completeness_defaults_are_those_of_the_protocol() {
    assertThat(CompletenessSettings.DEFAULT)
        .isEqualTo(new CompletenessSettings(15_000, 30_000, 600_000, 13L * 24 * 3_600_000, 2_000));
  }
}
