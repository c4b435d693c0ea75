package io.cloudkon.core.protocol.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Idle workers that stay, as the fleet's minimum needs them. */
class IdleSeatsTest {
  private static final int FIRST = IdleBed.FIRST_OF_THREE;
  private static final int SECOND = (FIRST + 1) % 3;
  private static final int THIRD = (FIRST + 2) % 3;
  private static final IdleEffect LOOK = new IdleEffect.LookForJobs();
  private static final IdleEffect READ = new IdleEffect.ReadMinimum();
  private static final IdleEffect LAST_LOOK = new IdleEffect.LastLook();

  @Test
  void worker_that_gets_a_seat_stays_and_renews_it() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    assertThat(bed.minimum(3)).containsExactly(bed.asksFor(FIRST));
    assertThat(bed.tell(new IdleEvent.SeatAnswered(FIRST, true))).isEmpty();
    assertThat(bed.phase()).isEqualTo(IdlePhase.SEATED);
    assertThat(bed.machine.pollMillis(bed.now())).isEqualTo(20_000);

    bed.pass(4_999);
    assertThat(bed.tick()).isEmpty();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
    assertThat(bed.tell(new IdleEvent.SeatAnswered(FIRST, true))).isEmpty();
    bed.pass(5_000);
    assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
  }

  @Test
  void worker_that_finds_every_seat_held_tries_each_once_and_ends() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();

    assertThat(bed.minimum(3)).containsExactly(bed.asksFor(FIRST));
    assertThat(bed.tell(new IdleEvent.SeatAnswered(FIRST, false)))
        .containsExactly(bed.asksFor(SECOND));
    assertThat(bed.tell(new IdleEvent.SeatAnswered(SECOND, false)))
        .containsExactly(bed.asksFor(THIRD));
    assertThat(bed.tell(new IdleEvent.SeatAnswered(THIRD, false))).containsExactly(LAST_LOOK);
  }

  @Test
  void workers_begin_at_different_seats() {
    Set<Integer> first = new HashSet<>();
    IntStream.range(0, 100)
        .forEach(i -> {
          SeatSearch search = new SeatSearch("host-" + i);
          search.begin(10);
          first.add(search.seat());
        });

    assertThat(first).hasSize(10);
  }

  @Test
  void minimum_that_nobody_has_said_for_a_boot_timeout_keeps_nobody() {
    IdleBed bed = IdleBed.ofFleet();
    long said = bed.now().service();
    bed.pass(IdleEvent.MinimumRead.HOLDS_MILLIS - IdleBed.IDLE);
    bed.idleOut();
    assertThat(bed.tell(new IdleEvent.MinimumRead(3, said))).containsExactly(bed.asksFor(FIRST));

    IdleBed later = IdleBed.ofFleet();
    later.pass(IdleEvent.MinimumRead.HOLDS_MILLIS - IdleBed.IDLE + 1);
    later.idleOut();
    assertThat(later.tell(new IdleEvent.MinimumRead(3, said))).containsExactly(LAST_LOOK);
  }

  @Test
  void seat_stays_while_its_worker_works() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();

    assertThat(bed.work()).isEmpty();
    bed.pass(5_000);
    assertThat(bed.work()).containsExactly(bed.asksFor(FIRST));
    assertThat(bed.phase()).isEqualTo(IdlePhase.SEATED);
  }

  @Test
  void work_that_comes_while_a_seat_is_asked_for_voids_a_refusal_only() {
    IdleBed refused = IdleBed.ofFleet();
    refused.idleOut();
    refused.minimum(3);
    refused.work();
    assertThat(refused.tell(new IdleEvent.SeatAnswered(FIRST, false))).isEmpty();
    assertThat(refused.phase()).isEqualTo(IdlePhase.WATCHING);

    IdleBed granted = IdleBed.ofFleet();
    granted.idleOut();
    granted.minimum(3);
    granted.work();
    granted.tell(new IdleEvent.SeatAnswered(FIRST, true));
    assertThat(granted.phase()).isEqualTo(IdlePhase.SEATED);
  }

  @Test
  void worker_whose_renewal_is_refused_decides_anew_from_that_seat_on() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    bed.pass(5_000);
    bed.tick();

    assertThat(bed.tell(new IdleEvent.SeatAnswered(FIRST, false))).isEmpty();

    assertThat(bed.tick()).containsExactly(LOOK);
    assertThat(bed.tell(new IdleEvent.JobsSeen(false, 1))).containsExactly(READ);
    assertThat(bed.minimum(3)).containsExactly(bed.asksFor(FIRST));
  }

  @Test
  void renewal_that_fails_is_tried_again_until_the_lease_is_over() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    bed.pass(5_000);
    for (int i = 0; i < 8; i++) {
      assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
      assertThat(bed.tell(new IdleEvent.Unanswered("throttled"))).isEmpty();
      bed.pass(1_000);
    }

    assertThat(bed.tick()).isEmpty();
    assertThat(bed.phase()).isEqualTo(IdlePhase.WATCHING);
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void worker_whose_machine_slept_past_its_lease_decides_anew() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    bed.sleep(13_000);

    assertThat(bed.tick()).isEmpty();
    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void seat_beyond_a_lowered_minimum_is_given_back() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    checkMinimum(bed);

    assertThat(bed.minimum(FIRST)).containsExactly(new IdleEffect.GiveBack(FIRST));

    assertThat(bed.tick()).containsExactly(LOOK);
  }

  @Test
  void seat_within_the_minimum_is_kept_and_the_minimum_read_again() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    checkMinimum(bed);

    assertThat(bed.minimum(FIRST + 1)).isEmpty();

    assertThat(bed.phase()).isEqualTo(IdlePhase.SEATED);
    checkMinimum(bed);
  }

  @Test
  void minimum_that_cannot_be_read_keeps_the_seat() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();
    checkMinimum(bed);

    assertThat(bed.tell(new IdleEvent.Unanswered("away"))).isEmpty();

    assertThat(bed.phase()).isEqualTo(IdlePhase.SEATED);
  }

  @Test
  void worker_that_leaves_gives_its_seat_back() {
    IdleBed bed = IdleBed.ofFleet();
    bed.takeSeat();

    assertThat(bed.tell(new IdleEvent.Leave())).containsExactly(new IdleEffect.GiveBack(FIRST));
  }

  @Test
  void seat_that_is_granted_after_the_order_to_leave_is_given_back() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    bed.minimum(3);
    bed.tell(new IdleEvent.Leave());

    assertThat(bed.tell(new IdleEvent.SeatAnswered(FIRST, true)))
        .containsExactly(new IdleEffect.GiveBack(FIRST));
  }

  @Test
  void call_for_a_seat_that_fails_is_made_again_for_the_same_seat() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    bed.minimum(3);
    assertThat(bed.tell(new IdleEvent.Unanswered("throttled"))).isEmpty();

    bed.pass(1_000);
    assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
  }

  @Test
  void seat_that_may_have_been_granted_is_given_back_by_a_worker_that_gives_up() {
    IdleBed bed = IdleBed.ofFleet();
    bed.idleOut();
    bed.minimum(3);
    bed.tell(new IdleEvent.Unanswered("away"));
    bed.pass(IdleBed.PATIENCE);
    bed.tick();

    assertThat(bed.tell(new IdleEvent.Unanswered("away")))
        .containsExactly(new IdleEffect.GiveBack(FIRST), new IdleEffect.GiveUp("away"), LAST_LOOK);
  }

  /** Renews until the minimum is to be read again. */
  private static void checkMinimum(IdleBed bed) {
    for (int i = 0; i < 5; i++) {
      bed.pass(5_000);
      assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
      bed.tell(new IdleEvent.SeatAnswered(FIRST, true));
    }
    bed.pass(4_999);
    bed.tick();
    bed.pass(1);
    assertThat(bed.tick()).containsExactly(bed.asksFor(FIRST));
    bed.tell(new IdleEvent.SeatAnswered(FIRST, true));
    assertThat(bed.tick()).containsExactly(READ);
  }
}
