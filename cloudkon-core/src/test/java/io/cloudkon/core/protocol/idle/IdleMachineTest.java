package io.cloudkon.core.protocol.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.idle.IdleEffect.Ending;
import org.junit.jupiter.api.Test;

/** When a worker ends itself, step by step. */
class IdleMachineTest {
  private static final IdleEffect LOOK = new IdleEffect.LookForJobs();
  private static final IdleEffect READ = new IdleEffect.ReadMinimum();
  private static final IdleEffect LAST_LOOK = new IdleEffect.LastLook();
  private static final IdleEffect IDLE_OUT = new IdleEffect.Drain(Ending.IDLE);

  @Test
  void idle_worker_that_nobody_needs_looks_asks_looks_once_more_and_ends() {
    IdleBed bed = IdleBed.ofFleet();

    bed.pass(IdleBed.IDLE - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LOOK);
    assertThat(bed.tick()).isEmpty();
    assertThat(bed.tell(new IdleEvent.JobsSeen(false, 1))).containsExactly(READ);
    assertThat(bed.minimum(0)).containsExactly(LAST_LOOK);
    assertThat(bed.tell(new IdleEvent.QueuesEmpty())).containsExactly(IDLE_OUT);
    assertThat(bed.phase()).isEqualTo(IdlePhase.LEAVING);
    bed.pass(IdleBed.HOUR);
    assertThat(bed.tick()).isEmpty();
  }

  @Test
  void work_begins_the_time_anew() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE - 1);
    assertThat(bed.work()).isEmpty();

    bed.pass(IdleBed.IDLE - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void work_that_comes_while_a_question_is_open_voids_its_answer() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);
    bed.tick();
    bed.work();
    bed.pass(2 * IdleBed.IDLE);

    assertThat(bed.tell(new IdleEvent.JobsSeen(false, 1))).isEmpty();

    assertThat(bed.phase()).isEqualTo(IdlePhase.WATCHING);
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void work_that_the_last_look_brings_keeps_the_worker() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    bed.minimum(0);

    assertThat(bed.work()).containsExactly(new IdleEffect.GoOn());

    assertThat(bed.tell(new IdleEvent.QueuesEmpty())).isEmpty();
    assertThat(bed.phase()).isEqualTo(IdlePhase.WATCHING);
  }

  /** Nothing is received while messages are held, and an outage may last for longer. */
  @Test
  void messages_in_hand_begin_the_last_look_anew_and_do_not_count_as_patience() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    bed.minimum(0);
    for (long held = 0; held < 2 * IdleBed.PATIENCE; held += 1_000) {
      bed.pass(1_000);
      assertThat(bed.hold()).containsExactly(LAST_LOOK);
    }

    assertThat(bed.tick()).isEmpty();
    bed.pass(IdleBed.PATIENCE - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).hasSize(2).last().isEqualTo(IDLE_OUT);
  }

  @Test
  void messages_in_hand_before_the_last_look_begin_nothing() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);

    assertThat(bed.hold()).containsExactly(LOOK);
  }

  @Test
  void job_that_waits_keeps_the_worker_and_is_looked_for_once_per_share_and_second() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);
    bed.tick();
    assertThat(bed.tell(new IdleEvent.JobsSeen(true, 100))).isEmpty();

    bed.pass(100_000 - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void worker_that_takes_no_jobs_and_keeps_no_minimum_asks_nobody() {
    IdleBed bed = IdleBed.paidFor(0);
    bed.pass(IdleBed.IDLE);

    assertThat(bed.tick()).containsExactly(LAST_LOOK);
  }

  // ---- what is paid for

  @Test
  void idle_worker_stays_while_it_is_paid_for_in_any_case() {
    IdleBed bed = IdleBed.paidFor(5 * IdleBed.IDLE);

    bed.pass(5 * IdleBed.IDLE - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LAST_LOOK);
  }

  @Test
  void worker_that_is_paid_by_the_hour_ends_in_the_last_part_of_one() {
    IdleBed bed = IdleBed.paidByTheHour();

    bed.pass(IdleBed.HOUR - IdleBed.WINDOW - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LAST_LOOK);
  }

  @Test
  void worker_that_has_begun_another_hour_stays_for_most_of_it() {
    IdleBed bed = IdleBed.paidByTheHour();
    bed.pass(IdleBed.HOUR - IdleBed.IDLE + 1);
    bed.work();

    bed.pass(IdleBed.IDLE);
    assertThat(bed.tick()).isEmpty();
    bed.pass(IdleBed.HOUR - IdleBed.WINDOW - 2);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LAST_LOOK);
  }

  // ---- the last one out

  @Test
  void receives_wait_for_no_longer_than_until_the_worker_may_end() {
    IdleBed bed = IdleBed.ofFleet();
    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(20_000);

    bed.pass(IdleBed.IDLE - 7_000);
    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(7_000);
    bed.pass(6_900);
    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(1_000);
    bed.pass(100);
    bed.tick();
    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(1_000);
  }

  @Test
  void receives_of_a_worker_that_stays_for_ever_wait_for_long() {
    IdleBed bed = IdleBed.living(IdleSettings.NEVER);
    bed.pass(IdleBed.HOUR);
    bed.tick();

    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(20_000);
  }

  @Test
  void queues_that_cannot_be_looked_at_keep_the_worker_for_as_long_as_its_patience() {
    IdleBed bed = IdleBed.paidFor(0);
    bed.pass(IdleBed.IDLE);
    bed.tick();

    bed.pass(IdleBed.PATIENCE - 1);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).hasSize(2).endsWith(IDLE_OUT);
  }

  // ---- no answers

  @Test
  void question_that_was_not_answered_is_asked_again_each_second() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);
    bed.tick();
    assertThat(bed.tell(new IdleEvent.Unanswered("throttled"))).isEmpty();

    bed.pass(999);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void tables_that_cannot_be_read_keep_the_worker_for_as_long_as_its_patience() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    for (int i = 0; i < 100; i++) {
      assertThat(bed.tell(new IdleEvent.Unanswered("away"))).isEmpty();
      bed.pass(3_000);
      assertThat(bed.tick()).containsExactly(READ);
    }

    assertThat(bed.tell(new IdleEvent.Unanswered("away")))
        .containsExactly(new IdleEffect.GiveUp("away"), LAST_LOOK);
  }

  @Test
  void any_answer_begins_the_patience_anew() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);
    bed.tick();
    bed.tell(new IdleEvent.Unanswered("away"));
    bed.pass(IdleBed.PATIENCE - 1);
    bed.tick();
    bed.tell(new IdleEvent.JobsSeen(false, 1));

    bed.pass(1_000);
    assertThat(bed.tell(new IdleEvent.Unanswered("away"))).isEmpty();
    assertThat(bed.phase()).isEqualTo(IdlePhase.READING);
  }

  // ---- the end by age, or by somebody else

  @Test
  void worker_that_has_lived_for_long_enough_ends_even_if_it_works() {
    IdleBed bed = IdleBed.living(IdleBed.HOUR);

    bed.pass(IdleBed.HOUR - 1);
    assertThat(bed.work()).isEmpty();
    bed.pass(1);
    assertThat(bed.work()).containsExactly(new IdleEffect.Drain(Ending.LIFETIME));
    assertThat(bed.work()).isEmpty();
  }

  @Test
  void worker_that_is_told_to_leave_does_not_end_itself() {
    IdleBed bed = IdleBed.ofFleet();

    assertThat(bed.tell(new IdleEvent.Leave())).isEmpty();
    bed.pass(IdleBed.HOUR);
    assertThat(bed.tick()).isEmpty();
    assertThat(bed.tell(new IdleEvent.Leave())).isEmpty();
  }

  @Test
  void answer_that_comes_after_the_order_to_leave_changes_nothing() {
    IdleBed bed = IdleBed.ofFleet();
    bed.pass(IdleBed.IDLE);
    bed.tick();
    bed.tell(new IdleEvent.Leave());

    assertThat(bed.tell(new IdleEvent.JobsSeen(false, 1))).isEmpty();
    assertThat(bed.minimum(3)).isEmpty();
    assertThat(bed.tell(new IdleEvent.Unanswered("away"))).isEmpty();
    assertThat(bed.tell(new IdleEvent.QueuesEmpty())).isEmpty();
  }
}
