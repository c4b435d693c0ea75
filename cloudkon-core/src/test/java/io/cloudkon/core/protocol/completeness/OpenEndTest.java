package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.completeness.CompletenessMachine.Verdict;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In a run without a known end, somebody waits for each result, also for a LOST. */
class OpenEndTest {
  private static final String FIRST = "run/e/0";
  private static final long GRACE = CompletenessSettings.DEFAULT.grace();

  private final CompletenessMachine machine = machine(CompletenessSettings.DEFAULT.forOpenEnd());
  private Moment now = new Moment(100_000, 9_000_000);

  private CompletenessMachine machine(CompletenessSettings settings) {
    CompletenessMachine made = new CompletenessMachine("run", "e", true, settings);
    assertThat(made.bundle(2)).isZero();
    made.sent(0, new Moment(100_000, 9_000_000));
    return made;
  }

  private void lose(int ordinal) {
    assertThat(machine.offer(FIRST, ordinal, true)).isEqualTo(Verdict.PROVISIONAL);
    assertThat(machine.follow(now)).isEmpty();
  }

  /** Receives that follow one another for so long, each of them with results of other tasks. */
  private void busy(long millis) {
    for (Moment end = now.plus(millis); now.mono() < end.mono(); ) {
      Moment begun = now;
      now = now.plus(Math.min(200, end.mono() - now.mono()));
      machine.received(3, begun, now);
    }
  }

  private void isLost(List<CompletenessEffect> effects, int... ordinals) {
    assertThat(effects)
        .singleElement()
        .isInstanceOfSatisfying(
            CompletenessEffect.FinalLost.class,
            lost -> assertThat(lost.ordinals()).containsExactly(ordinals));
  }

  @Test
  void lost_is_final_once_the_queue_was_quiet_though_more_tasks_may_come() {
    lose(1);
    Moment begun = now;
    now = now.plus(GRACE - 1);
    machine.received(0, begun, now);
    assertThat(machine.follow(now)).isEmpty();
    now = now.plus(1);
    machine.received(0, begun, now);

    isLost(machine.follow(now), 1);
    assertThat(machine.phase()).isEqualTo(CompletenessPhase.SENDING);
    assertThat(machine.isFinal(1)).isTrue();
    assertThat(machine.follow(now)).isEmpty();
  }

  @Test
  void lost_of_a_busy_queue_waits_three_times_as_long() {
    lose(1);
    busy(3 * GRACE - 1);
    assertThat(machine.follow(now)).isEmpty();
    lose(0);
    busy(1);

    isLost(machine.follow(now), 1);
    busy(3 * GRACE - 1);
    isLost(machine.follow(now), 0);
  }

  @Test
  void results_that_arrive_now_and_then_do_not_keep_it_waiting() {
    lose(1);
    for (int i = 0; i < 15; i++) {
      assertThat(machine.follow(now)).isEmpty();
      Moment begun = now;
      now = now.plus(GRACE / 5);
      machine.arrived(now); // before the receive is reported
      machine.received(1, begun, now);
    }

    isLost(machine.follow(now), 1);
  }

  @Test
  void receives_that_are_full_show_a_backlog_in_which_the_result_may_be() {
    lose(1);
    busy(2 * GRACE);
    Moment begun = now;
    now = now.plus(100);
    machine.received(10, begun, now);
    busy(3 * GRACE - 1);
    assertThat(machine.follow(now)).isEmpty();
    busy(1);

    isLost(machine.follow(now), 1);
  }

  @Test
  void failed_receive_or_a_pause_starts_the_wait_again() {
    lose(1);
    busy(2 * GRACE);
    machine.receiveFailed(now);
    busy(2 * GRACE);
    now = now.plus(5_000); // suspended, or nobody takes the results
    assertThat(machine.follow(now)).isEmpty();
    busy(3 * GRACE - 1);
    assertThat(machine.follow(now)).isEmpty();
    busy(1);

    isLost(machine.follow(now), 1);
  }

  @Test
  void real_result_still_replaces_it() {
    lose(1);
    busy(GRACE);
    assertThat(machine.offer(FIRST, 1, false)).isEqualTo(Verdict.FINAL);
    busy(3 * GRACE);

    assertThat(machine.follow(now)).isEmpty();
    assertThat(machine.offer(FIRST, 1, true)).isEqualTo(Verdict.DUPLICATE);
  }

  @Test
  void run_ends_as_any_other() {
    lose(1);
    busy(3 * GRACE);
    isLost(machine.follow(now), 1);
    assertThat(machine.offer(FIRST, 0, false)).isEqualTo(Verdict.FINAL);

    assertThat(machine.allSent(now)).containsExactly(new CompletenessEffect.Complete());
  }

  @Test
  void lost_of_a_run_with_a_known_end_waits_for_everything_else() {
    CompletenessMachine known = machine(CompletenessSettings.DEFAULT);
    assertThat(known.offer(FIRST, 1, true)).isEqualTo(Verdict.PROVISIONAL);
    known.received(0, now, now.plus(10 * GRACE));

    assertThat(known.follow(now.plus(10 * GRACE))).isEmpty();
  }
}
